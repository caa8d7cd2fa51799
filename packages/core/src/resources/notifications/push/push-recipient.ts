import { parseUserSettings } from '../../../domain/users/user-settings.js'
import type { NotifiedRecipient } from '../notified-recipients/index.js'
import type { PushRecipientRow } from './push-recipient-repository.js'

/** The facts that decide whether a user is notified of a message. */
export function recipientOf(row: PushRecipientRow, isOnline: boolean): NotifiedRecipient {
  return {
    flags: row.flags,
    settings: parseUserSettings(row.settings),
    isDirect: row.channel_id === null,
    isOnline,
    subscription: subscriptionOf(row),
    topicPolicy: row.visibility_policy ?? 0,
  }
}

function subscriptionOf(row: PushRecipientRow): NotifiedRecipient['subscription'] {
  if (row.is_muted === null) return undefined
  return {
    isMuted: row.is_muted,
    pushNotifications: row.push_notifications,
    emailNotifications: row.email_notifications,
    wildcardMentionsNotify: row.wildcard_mentions_notify,
  }
}
