import type { Message } from '@parley/client'

import type { Place } from '../place.js'
import { startOfDay } from '../view/times.js'

/** Messages of one sender that are this close belong together. */
const groupSeconds = 300

/** A message, and the lines that are shown above it. */
export interface MessageRow {
  readonly message: Message
  /** With picture, name and time: it does not continue the message before. */
  readonly isFirst: boolean
  /** The day begins. */
  readonly hasDay: boolean
  /** Another conversation begins, in a view of several. */
  readonly hasPlace: boolean
  readonly isFirstUnread: boolean
}

/** The rows of a view, of which each needs the one before. */
export function rowsOf(
  messages: readonly Message[],
  place: Place,
  firstUnreadId: number | undefined,
): MessageRow[] {
  const hasPlaces = place.kind !== 'topic' && place.kind !== 'direct'
  return messages.map((message, index) => {
    const before = messages[index - 1]
    const isFirstUnread = message.id === firstUnreadId
    const hasDay =
      before === undefined || startOfDay(before.timestamp) !== startOfDay(message.timestamp)
    const hasPlace = hasPlaces && (before === undefined || !isSameConversation(before, message))
    const continues =
      before !== undefined &&
      before.sender_id === message.sender_id &&
      message.timestamp - before.timestamp < groupSeconds &&
      !message.is_me_message
    return {
      message,
      hasDay,
      hasPlace,
      isFirstUnread,
      isFirst: !continues || hasDay || hasPlace || isFirstUnread,
    }
  })
}

function isSameConversation(one: Message, other: Message): boolean {
  // Events of messages that move to another channel do not have its `recipient_id`.
  const isSamePlace =
    one.stream_id === undefined
      ? one.recipient_id === other.recipient_id
      : one.stream_id === other.stream_id
  return isSamePlace && one.subject.toLowerCase() === other.subject.toLowerCase()
}
