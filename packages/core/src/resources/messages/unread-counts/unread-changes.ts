import type { RecordedEvent } from '../../../events/application/application-view.js'
import type { UnreadChange, UnreadChanges } from '../../../events/application/unread-change.js'
import { textsErased } from '../../../events/log/text-changes.js'
import type { RecordKind } from '../../../events/record-kind.js'
import { channelUpdated } from '../../channels/channels/index.js'
import {
  subscriptionsAdded,
  subscriptionsRemoved,
  subscriptionUpdated,
} from '../../channels/subscriptions/index.js'
import { userTopicChanged } from '../../channels/topics/index.js'
import { userAdded, userUpdated } from '../../people/users/index.js'
import { messagesDeleted, messagesUpdated } from '../editing/index.js'
import { messageFlagsAdded, messageFlagsRemoved } from '../flags/index.js'
import { messageSent } from '../sending/index.js'

/** The users to whom the record is sent, whom it names one by one. */
type Recipients = readonly number[]

interface Rule {
  readonly kind: string
  find(record: RecordedEvent): UnreadChange | undefined
}

function rule<Data>(
  by: RecordKind<Data>,
  change: (data: Data, recipients: Recipients) => UnreadChange | undefined,
): Rule {
  return {
    kind: by.kind,
    find: (record) =>
      by.describes(record) ? change(record.data, record.recipients.userIds ?? []) : undefined,
  }
}

const ofRecipients = (_: unknown, userIds: Recipients): UnreadChange => ({ userIds })

const ofReaders = ({ flag }: { readonly flag: string }, userIds: Recipients) =>
  flag === 'read' ? { userIds } : undefined

const rules: readonly Rule[] = [
  rule(messageSent, ({ message: { stream_id, display_recipient } }) =>
    typeof display_recipient === 'string'
      ? { channelIds: stream_id === undefined ? [] : [stream_id] }
      : { userIds: display_recipient.map(({ id }) => id) },
  ),
  // An edit may add a mention.
  rule(messagesUpdated, ({ stream_id, new_stream_id = stream_id }, userIds) =>
    stream_id === undefined || new_stream_id === undefined
      ? { userIds }
      : { channelIds: [...new Set([stream_id, new_stream_id])] },
  ),
  rule(messagesDeleted, ({ place }, userIds) =>
    place === null ? { userIds } : { channelIds: [place.channelId] },
  ),
  // The entry about a move is cleared when its only message is deleted, perhaps before it is read.
  rule(textsErased, ({ channelIds }) => channelIds && { channelIds }),
  rule(messageFlagsAdded, ofReaders),
  rule(messageFlagsRemoved, ofReaders),
  rule(userTopicChanged, ofRecipients),
  rule(subscriptionsAdded, ofRecipients),
  rule(subscriptionsRemoved, ofRecipients),
  rule(subscriptionUpdated, ({ property }, userIds) =>
    property === 'is_muted' || property === 'in_home_view' ? { userIds } : undefined,
  ),
  // Who is not subscribed has unread messages of public channels only.
  rule(channelUpdated, ({ update: { property, stream_id } }) =>
    property === 'invite_only' ? { channelIds: [stream_id] } : undefined,
  ),
  rule(userAdded, ({ person }) => ({ userIds: [person.user_id] })),
  rule(userUpdated, ({ person }) =>
    'role' in person || 'is_active' in person ? { userIds: [person.user_id] } : undefined,
  ),
]

const byKind = new Map(rules.map((one) => [one.kind, one]))

/** Tells from the records of the log whose unread counts may have changed. */
export const unreadChanges: UnreadChanges = {
  kinds: [...byKind.keys()],
  find: (record) => byKind.get(record.kind)?.find(record),
}
