import { keysOf } from '../../kernel/objects.js'

/** The personal flags of a message, as bits of the stored mask. */
export const MessageFlag = {
  read: 1,
  starred: 2,
  collapsed: 4,
  mentioned: 8,
  stream_wildcard_mentioned: 16,
  topic_wildcard_mentioned: 32,
  has_alert_word: 64,
  historical: 128,
} as const
export type MessageFlagName = keyof typeof MessageFlag

/** The flags of users whom a wildcard mentions. */
export const wildcardMentionFlags =
  MessageFlag.stream_wildcard_mentioned | MessageFlag.topic_wildcard_mentioned

/** The flags of users whom a message mentions in any way. */
export const mentionFlags = MessageFlag.mentioned | wildcardMentionFlags

/** The flags that a client may change. */
export const editableFlags: readonly MessageFlagName[] = ['read', 'starred', 'collapsed']

const names = keysOf(MessageFlag)
const texts = new Map<number, readonly string[]>()

/**
 * The names of the flags in a mask; the deprecated `wildcard_mentioned` accompanies either
 * wildcard.
 */
export function flagNames(mask: number): readonly string[] {
  let list = texts.get(mask)
  if (list === undefined) {
    const set: string[] = names.filter((name) => (mask & MessageFlag[name]) !== 0)
    if ((mask & wildcardMentionFlags) !== 0) set.push('wildcard_mentioned')
    list = set
    texts.set(mask, list)
  }
  return list
}

/** The flags of a message that the user may read but has no user message for. */
export const unreceivedFlags = MessageFlag.read | MessageFlag.historical
