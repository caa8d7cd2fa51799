import {
  editableFlags,
  MessageFlag,
  type MessageFlagName,
} from '../../../domain/messages/message-flags.js'
import { badRequest } from '../../../errors/index.js'

/** A change of a flag that a client may request. */
export interface FlagOperation {
  readonly op: 'add' | 'remove'
  readonly flag: MessageFlagName
}

/** Flags of older clients; no message has them. */
const formerFlags: readonly string[] = ['group_mentioned', 'force_expand', 'force_collapse']

/** @throws {ChatError} `BAD_REQUEST` if the operation is invalid or the flag is not editable. */
export function requireFlagChange(request: {
  readonly op: string
  readonly flag: string
}): FlagOperation {
  const { op, flag } = request
  if (!isFlag(flag) && !formerFlags.includes(flag)) throw badRequest('FLAG_INVALID', { flag })
  if (!isFlag(flag) || !editableFlags.includes(flag)) {
    throw badRequest('FLAG_NOT_EDITABLE', { flag })
  }
  if (op !== 'add' && op !== 'remove') {
    throw badRequest('FLAG_OPERATION_INVALID', { operation: op })
  }
  return { op, flag }
}

function isFlag(name: string): name is MessageFlagName {
  return Object.hasOwn(MessageFlag, name)
}
