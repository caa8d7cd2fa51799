import { flagNames } from '../../../domain/messages/message-flags.js'
import { emptyTopicDisplayName, resolvedTopicPrefix } from '../../../domain/messages/topics.js'
import { badRequest } from '../../../errors/index.js'
import type { RecipientGroup } from '../../../events/event.js'
import { addTo } from '../../../kernel/grouping.js'
import { crossesChannels, type PropagateMode, type TopicDestination } from './topic-move.js'

/** The changes of a message that a client requests. */
export interface MessageEdit {
  readonly content?: string | undefined
  /** SHA-256 of the content that the edit is based on, hexadecimal. */
  readonly expectedSha256?: string | undefined
  readonly topic?: string | undefined
  readonly channelId?: number | undefined
  readonly mode: PropagateMode
  /** Whether to post notification messages to the former and to the new topic of a move. */
  readonly notifiesOldTopic: boolean
  readonly notifiesNewTopic: boolean
}

/** @throws {ChatError} `BAD_REQUEST` if the name marks the empty topic as resolved. */
export function requireResolvableName(topic: string): void {
  const mark = resolvedTopicPrefix.trim()
  if (topic === mark || topic === resolvedTopicPrefix + emptyTopicDisplayName) {
    throw badRequest('GENERAL_CHAT_NOT_RESOLVED')
  }
}

export function moveHistory(from: string, to: TopicDestination): object {
  return {
    ...(to.topicChanged ? { prev_topic: from, topic: to.topic } : {}),
    ...(crossesChannels(to)
      ? { prev_stream: to.source.channel.id, stream: to.channel.channel.id }
      : {}),
  }
}

export function flagGroups(
  userMessages: readonly { readonly user_id: number; readonly flags: number }[],
): readonly RecipientGroup[] {
  const byMask = new Map<number, number[]>()
  for (const { user_id, flags } of userMessages) addTo(byMask, flags, user_id)
  return [...byMask].map(([mask, userIds]) => ({ userIds, fields: { flags: flagNames(mask) } }))
}
