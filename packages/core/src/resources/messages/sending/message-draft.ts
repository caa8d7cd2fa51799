import { normalizeContent } from '../../../domain/message-content.js'
import { normalizeTopic } from '../../../domain/topics.js'
import { badRequest } from '../../../errors/index.js'
import { parseChannelTarget, parseDirectTarget, type MessageTarget } from './message-target.js'

/** A message as its sender submits it. */
export interface MessageDraft {
  readonly type: 'direct' | 'private' | 'channel' | 'stream'
  /** As received: id or name of a channel, or ids or addresses of users, as JSON or plain text. */
  readonly to: string | undefined
  readonly topic?: string | undefined
  readonly content: string
  /** Whether the sender has read the message; if undefined, the client's name decides. */
  readonly readBySender?: boolean | undefined
  readonly clientName: string
  /** The sender's queue whose event includes `localId`. */
  readonly queueId?: string | undefined
  readonly localId?: string | undefined
  /** JSON of a widget that replaces the one from the content. */
  readonly widgetContent?: string | undefined
}

/** A message with normalized texts, whose recipients are not resolved yet. */
export interface PreparedMessage {
  readonly draft: MessageDraft
  readonly target: MessageTarget
  readonly topic: string
  readonly content: string
  /** Whether a bot replies to a message that called it, which requires no permission to post. */
  readonly isAnswer?: boolean
}

/** A message that has passed all checks. */
export interface CheckedMessage {
  /** Null for direct messages. */
  readonly channelId: number | null
  /** The participants of a direct message, the sender included; ascending. */
  readonly userIds: readonly number[]
  readonly renderedContent: string
  /** The attachments that the message links to and that its sender may read. */
  readonly attachmentIds: readonly number[]
}

/** A message that was sent. */
export interface SentMessage {
  readonly id: number
  /** The sender's new policy for the topic (followed or unmuted); absent if unchanged. */
  readonly visibilityPolicy?: number
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

/** @throws {ChatError} `BAD_REQUEST` if the draft is malformed. */
export function prepareMessage(draft: MessageDraft): PreparedMessage {
  const target =
    draft.type === 'channel' || draft.type === 'stream'
      ? parseChannelTarget(draft.to)
      : parseDirectTarget(draft.to)
  if (target.kind === 'channel' && draft.topic === undefined) throw badRequest('Missing topic')
  const topic = target.kind === 'channel' ? normalizeTopic(draft.topic ?? '') : ''
  return { draft, target, topic, content: normalizeContent(draft.content) }
}
