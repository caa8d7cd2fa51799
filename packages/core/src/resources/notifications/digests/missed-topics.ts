import { groupBy } from '../../../kernel/grouping.js'

/** An unread message. */
export interface MissedRow {
  readonly id: number
  readonly sender_id: number
  readonly channel_id: number
  readonly topic_key: string
  /** The reader's policy for the topic: 0 none, 2 unmuted, 3 followed. */
  readonly policy: number
}

/** The unread messages of a topic. */
export interface MissedTopic {
  readonly messageCount: number
  /** The sender of most messages first. */
  readonly senderIds: readonly number[]
  /** Ascending. */
  readonly firstMessageIds: readonly number[]
}

const followed = 3

/**
 * The topics of messages: followed ones first, then those with most senders, most messages, and the
 * newest message.
 *
 * @param quoted how many of the first messages of each topic are listed.
 */
export function missedTopics(rows: readonly MissedRow[], quoted: number): MissedTopic[] {
  const ascending = rows.toSorted((one, other) => one.id - other.id)
  const groups = groupBy(ascending, ({ channel_id, topic_key }) => `${channel_id}/${topic_key}`)
  return [...groups.values()]
    .map((own) => {
      const bySender = groupBy(own, ({ sender_id }) => sender_id)
      const ids = own.map(({ id }) => id)
      return {
        isFollowed: own[0]?.policy === followed,
        messageCount: own.length,
        senderIds: [...bySender]
          .sort(([, one], [, other]) => other.length - one.length)
          .map(([id]) => id),
        firstMessageIds: ids.slice(0, quoted),
        newestId: ids.at(-1) ?? 0,
      }
    })
    .sort(
      (one, other) =>
        Number(other.isFollowed) - Number(one.isFollowed) ||
        other.senderIds.length - one.senderIds.length ||
        other.messageCount - one.messageCount ||
        other.newestId - one.newestId,
    )
}
