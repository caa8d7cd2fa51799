import { initialSchema } from './0001-initial-schema.js'
import { channelTraffic } from './0003-channel-traffic.js'
import { alertWords } from './0005-alert-words.js'
import { personalItems } from './0006-personal-items.js'
import { presence } from './0007-presence.js'
import { emojiAndLinkifiers } from './0008-emoji-and-linkifiers.js'
import { push } from './0009-push.js'
import { scheduledMessages } from './0010-scheduled-messages.js'
import { uploads } from './0013-uploads.js'
import { profileFields } from './0014-profile-fields.js'
import { domainsAndEmailChanges } from './0015-domains-and-email-changes.js'
import { bots } from './0016-bots.js'
import { channelFolders } from './0017-channel-folders.js'
import { reminders } from './0018-reminders.js'
import { submessages } from './0019-submessages.js'
import { channelReceivers } from './0020-channel-receivers.js'
import { fullMembers } from './0021-full-members.js'
import { pushDecisions } from './0022-push-decisions.js'
import { outgoingWebhooks } from './0023-outgoing-webhooks.js'
import { messageWords } from './0024-message-words.js'
import { secretIds } from './0031-secret-ids.js'
import type { Migration } from './migration.js'

/** The schema's history, oldest first. */
export const migrations: readonly Migration[] = [
  initialSchema,
  channelTraffic,
  alertWords,
  personalItems,
  presence,
  emojiAndLinkifiers,
  push,
  scheduledMessages,
  uploads,
  profileFields,
  domainsAndEmailChanges,
  bots,
  channelFolders,
  reminders,
  submessages,
  channelReceivers,
  fullMembers,
  pushDecisions,
  outgoingWebhooks,
  messageWords,
  secretIds,
]
