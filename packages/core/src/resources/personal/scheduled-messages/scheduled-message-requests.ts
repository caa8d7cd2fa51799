import { badRequest } from '../../../errors/index.js'
import { parseJson } from '../../../storage/index.js'
import type { MessageRequest } from '../../messages/sending/index.js'
import type { ScheduledMessageRow } from './scheduled-messages-table.js'

export type ScheduledType = 'direct' | 'private' | 'channel' | 'stream'

/** The parameters of a scheduled message. */
export interface ScheduleRequest {
  readonly type: ScheduledType
  readonly to: number | readonly number[]
  readonly topic: string | undefined
  readonly content: string
  readonly deliverAtSeconds: number
  readonly readBySender?: boolean | undefined
  readonly clientName: string
}

/** The parameters to be changed. */
export type ScheduleChanges = {
  readonly [Key in 'type' | 'to' | 'topic' | 'content' | 'deliverAtSeconds']?:
    | ScheduleRequest[Key]
    | undefined
} & { readonly clientName: string }

/** The same message as a request of `POST /messages`. */
export function messageRequestOf(
  request: Omit<ScheduleRequest, 'deliverAtSeconds'>,
): MessageRequest {
  const isChannel = request.type === 'channel' || request.type === 'stream'
  if (isChannel && typeof request.to !== 'number') throw badRequest('SCHEDULED_CHANNEL_INVALID')
  if (!isChannel && typeof request.to === 'number') {
    throw badRequest('RECIPIENTS_INVALID')
  }
  return {
    type: request.type,
    to: JSON.stringify(request.to),
    topic: request.topic,
    content: request.content,
    readBySender: request.readBySender,
    clientName: request.clientName,
  }
}

/** Converts a stored message back into a request. */
export function requestOf(row: ScheduledMessageRow): Omit<ScheduleRequest, 'deliverAtSeconds'> {
  return {
    type: row.channel_id === null ? 'direct' : 'channel',
    to: row.channel_id ?? parseJson(row.user_ids),
    topic: row.channel_id === null ? undefined : row.topic,
    content: row.content,
    readBySender: row.read_by_sender,
    clientName: row.client,
  }
}

/** The request for a stored message with changes. */
export function merged(
  row: ScheduledMessageRow,
  changes: ScheduleChanges,
): Omit<ScheduleRequest, 'deliverAtSeconds'> {
  const before = requestOf(row)
  return {
    ...before,
    type: changes.type ?? before.type,
    to: changes.to ?? before.to,
    topic: changes.topic ?? before.topic,
    content: changes.content ?? before.content,
    clientName: changes.clientName,
  }
}

/** @throws {ChatError} `BAD_REQUEST` if only a part of the recipients is changed. */
export function requireCompleteTarget({ type, to, topic }: ScheduleChanges): void {
  if (type === undefined) return
  if (to === undefined) {
    throw badRequest('SCHEDULED_RECIPIENT_REQUIRED')
  }
  if ((type === 'channel' || type === 'stream') && topic === undefined) {
    throw badRequest('SCHEDULED_TOPIC_REQUIRED')
  }
}
