import { addTo } from '../../../kernel/grouping.js'
import type { StagedMessage } from './message-stages.js'

/** Recipients whose user messages for some messages all have the same flags. */
export interface FlagGroup {
  readonly messageIds: readonly number[]
  /** Undefined for all recipients who are in no earlier group of the same message. */
  readonly userIds: readonly number[] | undefined
  /** Mask of `MessageFlag`. */
  readonly mask: number
}

/** Groups recipients by their flags. Recipients in no group have none. */
export function flagGroupsOf(
  messages: readonly Pick<StagedMessage, 'id' | 'flags'>[],
): readonly FlagGroup[] {
  const byFlags = new Map<string, Pick<StagedMessage, 'id' | 'flags'>[]>()
  for (const message of messages) {
    const { forEveryone, ofUsers } = message.flags
    // The key of a single message is not compared with any other.
    const key = messages.length === 1 ? '' : JSON.stringify([forEveryone, ...ofUsers])
    addTo(byFlags, key, message)
  }
  return [...byFlags.values()].flatMap((same) => groupsOf(same))
}

/** @param messages messages with equal flags. */
function groupsOf(messages: readonly Pick<StagedMessage, 'id' | 'flags'>[]): FlagGroup[] {
  const [first] = messages
  if (first === undefined) return []
  const { forEveryone, ofUsers } = first.flags
  const messageIds = messages.map(({ id }) => id)
  const byMask = new Map<number, number[]>()
  for (const [userId, mask] of ofUsers) addTo(byMask, mask | forEveryone, userId)
  const groups = [...byMask].map(([mask, userIds]) => ({ messageIds, userIds, mask }))
  return forEveryone === 0
    ? groups
    : [...groups, { messageIds, userIds: undefined, mask: forEveryone }]
}
