import { badRequest, ChatError } from '../errors/index.js'
import { codePointLength, foldCase, takeCodePoints } from './folding.js'
import { invalidCharacterPosition } from './invalid-characters.js'
import { limits } from './limits.js'

/** What clients that do not know empty topics see instead of one. */
export const emptyTopicDisplayName = 'general chat'

/** Before the name of a topic that somebody has marked as resolved. */
export const resolvedTopicPrefix = '✔ '

/**
 * A topic as it is stored: trimmed, the stand-ins for the empty topic made empty, and cut to the
 * longest that is allowed.
 *
 * @throws {ChatError} `BAD_REQUEST` if it contains a character that no topic may.
 */
export function normalizeTopic(text: string): string {
  const topic = interpretTopic(text)
  const position = invalidCharacterPosition(topic)
  if (position !== undefined) {
    throw badRequest(`Invalid character in topic, at position ${position}!`)
  }
  return truncateTopic(topic)
}

/** Trims, and understands the stand-ins for the empty topic. */
export function interpretTopic(text: string): string {
  const topic = text.trim()
  return topic === emptyTopicDisplayName || topic === '(no topic)' ? '' : topic
}

export function truncateTopic(topic: string): string {
  if (codePointLength(topic) <= limits.maxTopicLength) return topic
  return `${takeCodePoints(topic, limits.maxTopicLength - 3)}...`
}

/** The form under which topics that differ in case alone are one. */
export function topicKey(topic: string): string {
  return foldCase(topic)
}

/**
 * @param policy the channel's `topics_policy`; `inherit` takes the organization's.
 * @throws {ChatError} `TOPIC_POLICY_VIOLATED` if the policy wants a topic, or none.
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
      message: `Sending messages to the ${emptyTopicDisplayName} is not allowed in this channel.`,
      fields,
    })
  }
  if (effective === 'empty_topic_only' && topic !== '') {
    throw new ChatError('TOPIC_POLICY_VIOLATED', {
      message: `Only the ${emptyTopicDisplayName} topic is allowed in this channel.`,
      fields,
    })
  }
}
