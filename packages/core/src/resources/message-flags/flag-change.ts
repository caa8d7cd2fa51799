import { editableFlags, MessageFlag, type MessageFlagName } from '../../domain/message-flags.js'
import { badRequest } from '../../errors/index.js'

/** A change of a flag that its owner may make. */
export interface FlagOperation {
  readonly op: 'add' | 'remove'
  readonly flag: MessageFlagName
}

/** Names that older clients knew; no message has these flags. */
const formerFlags: readonly string[] = ['group_mentioned', 'force_expand', 'force_collapse']

/** @throws {ChatError} `BAD_REQUEST` if the flag or the operation is none that a client may name. */
export function requireFlagChange(asked: {
  readonly op: string
  readonly flag: string
}): FlagOperation {
  const { op, flag } = asked
  if (!isFlag(flag) && !formerFlags.includes(flag)) throw badRequest(`Invalid flag: '${flag}'`)
  if (!isFlag(flag) || !editableFlags.includes(flag)) {
    throw badRequest(`Flag not editable: '${flag}'`)
  }
  if (op !== 'add' && op !== 'remove') {
    throw badRequest(`Invalid message flag operation: '${op}'`)
  }
  return { op, flag }
}

function isFlag(name: string): name is MessageFlagName {
  return Object.hasOwn(MessageFlag, name)
}
