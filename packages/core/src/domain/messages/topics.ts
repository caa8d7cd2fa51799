import { badRequest, ChatError, namedText } from '../../errors/index.js'
import { limits } from '../limits.js'
import { codePointLength, foldCase, takeCodePoints } from '../texts/folding.js'
import { invalidCharacterPosition } from '../texts/invalid-characters.js'

/** Shown instead of an empty topic by clients that do not support empty topics. */
export const emptyTopicDisplayName = 'general chat'

/** Prefix of the name of a resolved topic. */
export const resolvedTopicPrefix = '✔ '

/**
 * Normalizes a topic for storage: trimmed, with the stand-ins for the empty topic replaced by it,
 * and truncated to the maximum length.
 *
 * @throws {ChatError} `BAD_REQUEST` if it contains an invalid character.
 */
export function normalizeTopic(text: string): string {
  const topic = interpretTopic(text)
  const position = invalidCharacterPosition(topic)
  if (position !== undefined) {
    throw badRequest('TOPIC_WRONG_CHARACTER', { position })
  }
  return truncateTopic(topic)
}

/** Trims a topic, and replaces the stand-ins for the empty topic. */
export function interpretTopic(text: string): string {
  const topic = text.trim()
  return topic === emptyTopicDisplayName || topic === '(no topic)' ? '' : topic
}

export function truncateTopic(topic: string): string {
  if (codePointLength(topic) <= limits.maxTopicLength) return topic
  return `${takeCodePoints(topic, limits.maxTopicLength - 3)}...`
}

/** Canonical form of a topic, in which topics that differ only in case are equal. */
export function topicKey(topic: string): string {
  return foldCase(topic)
}

/**
 * @param policy the channel's `topics_policy`; `inherit` stands for the organization's.
 * @throws {ChatError} `TOPIC_POLICY_VIOLATED` if the policy requires a topic, or forbids one.
 */
export function requireTopicAllowed(
  topic: string,
  policy: string,
  organizationPolicy: string,
): void {
  const effective = policy === 'inherit' ? organizationPolicy : policy
  const fields = { empty_topic_display_name: emptyTopicDisplayName }
  if (effective === 'disable_empty_topic' && topic === '') {
    throw new ChatError('TOPIC_POLICY_VIOLATED', {
      text: namedText('TOPIC_REQUIRED_IN_CHANNEL', { topic: emptyTopicDisplayName }),
      fields,
    })
  }
  if (effective === 'empty_topic_only' && topic !== '') {
    throw new ChatError('TOPIC_POLICY_VIOLATED', {
      text: namedText('TOPIC_NOT_ALLOWED_IN_CHANNEL', { topic: emptyTopicDisplayName }),
      fields,
    })
  }
}
