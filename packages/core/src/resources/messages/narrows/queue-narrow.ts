import { interpretTopic, resolvedTopicPrefix, topicKey } from '../../../domain/messages/topics.js'
import { foldCase } from '../../../domain/texts/folding.js'

/** The parts of a message that the narrow of a queue is matched against. */
export interface NarrowedMessage {
  readonly isDirect: boolean
  readonly channelName: string
  readonly topic: string
  readonly senderEmail: string
  readonly flags: readonly string[]
}

/** Whether a message matches all terms of a queue's narrow. */
export function matchesQueueNarrow(
  narrow: readonly (readonly [string, string])[],
  message: NarrowedMessage,
): boolean {
  return narrow.every(([operator, operand]) => matchesTerm(operator, operand, message))
}

function matchesTerm(operator: string, operand: string, message: NarrowedMessage): boolean {
  switch (operator) {
    case 'channel':
    case 'stream':
      return !message.isDirect && foldCase(message.channelName) === foldCase(operand)
    case 'topic':
      return !message.isDirect && topicKey(message.topic) === topicKey(interpretTopic(operand))
    case 'sender':
      return foldCase(message.senderEmail) === foldCase(operand)
    case 'is':
      return matchesState(operand, message)
    default:
      return true
  }
}

function matchesState(operand: string, message: NarrowedMessage): boolean {
  switch (operand) {
    case 'dm':
    case 'private':
      return message.isDirect
    case 'starred':
      return message.flags.includes('starred')
    case 'unread':
      return !message.flags.includes('read')
    case 'alerted':
    case 'mentioned':
      return message.flags.includes('mentioned')
    case 'resolved':
      return !message.isDirect && message.topic.startsWith(resolvedTopicPrefix)
    default:
      return true
  }
}
