import { normalizeContent } from '../../../domain/messages/message-content.js'
import { normalizeTopic } from '../../../domain/messages/topics.js'
import { badRequest } from '../../../errors/index.js'
import type { RepeatableCall } from '../../../kernel/repeatable-call.js'
import { parseChannelTarget, parseDirectTarget, type MessageTarget } from './message-target.js'

/** Parameters of a message that do not depend on its destination. */
interface MessageOptions {
  /** Whether the sender has read the message; if undefined, the client's name decides. */
  readonly readBySender?: boolean | undefined
  readonly clientName: string
  /** The sender's queue whose event includes `localId`. */
  readonly queueId?: string | undefined
  readonly localId?: string | undefined
  /** Recognizes a call of the application that is repeated. */
  readonly repeatable?: RepeatableCall | undefined
  /** JSON of a widget that replaces the one from the content. */
  readonly widgetContent?: string | undefined
}

/** The sender's queue, and the client's own id of the message. */
export interface LocalId {
  readonly queueId: string
  readonly localId: string
}

/** The client's own id of a message; undefined if it has none, or no queue. */
export function localOf({ queueId, localId }: MessageOptions): LocalId | undefined {
  return queueId === undefined || localId === undefined ? undefined : { queueId, localId }
}

/** A message as a client submits it. */
export interface MessageRequest extends MessageOptions {
  readonly type: 'direct' | 'private' | 'channel' | 'stream'
  /** As received: id or name of a channel, or ids or addresses of users, as JSON or plain text. */
  readonly to: string | undefined
  readonly topic?: string | undefined
  readonly content: string
}

/**
 * A message that a user or bot wants to send: texts are normalized, recipients are not resolved
 * yet. Unrelated to the drafts that clients store (`resources/personal/drafts`).
 */
export interface MessageDraft extends MessageOptions {
  readonly target: MessageTarget
  /** Empty for direct messages. */
  readonly topic: string
  readonly content: string
  /** Whether a bot replies to a message that called it, which requires no permission to post. */
  readonly isAnswer?: boolean
}

const humanClients: ReadonlySet<string> = new Set([
  'zulipandroid',
  'zulipios',
  'zulipdesktop',
  'zulipmobile',
  'zulipelectron',
  'zulipterminal',
  'snipe',
  'website',
  'ios',
  'android',
])

/** Whether users read messages with this client, so that messages sent with it count as read. */
export function isHumanClient(clientName: string): boolean {
  return humanClients.has(clientName.toLowerCase())
}

/** @throws {ChatError} `BAD_REQUEST` if the request is malformed. */
export function draftOf(request: MessageRequest): MessageDraft {
  const { type, to, ...rest } = request
  const target =
    type === 'channel' || type === 'stream' ? parseChannelTarget(to) : parseDirectTarget(to)
  if (target.kind === 'channel' && request.topic === undefined) throw badRequest('TOPIC_MISSING')
  const topic = target.kind === 'channel' ? normalizeTopic(request.topic ?? '') : ''
  return { ...rest, target, topic, content: normalizeContent(request.content) }
}
