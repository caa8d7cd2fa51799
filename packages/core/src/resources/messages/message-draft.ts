import { normalizeContent } from '../../domain/message-content.js'
import { normalizeTopic } from '../../domain/topics.js'
import { badRequest } from '../../errors/index.js'
import { parseChannelTarget, parseDirectTarget, type MessageTarget } from './message-target.js'

/** A message as its sender asks for it. */
export interface MessageDraft {
  readonly type: 'direct' | 'private' | 'channel' | 'stream'
  /** As it travels: an id or name of a channel, or users' ids or addresses, as JSON or plain text. */
  readonly to: string | undefined
  readonly topic?: string | undefined
  readonly content: string
  /** Whether the sender has read it; the server decides by the client's name otherwise. */
  readonly readBySender?: boolean | undefined
  readonly clientName: string
  /** The sender's queue that gets `localId` back with the event. */
  readonly queueId?: string | undefined
  readonly localId?: string | undefined
  /** JSON of a widget in place of the one that the content asks for. */
  readonly widgetContent?: string | undefined
}

/** A message whose texts are as they will be stored, and whose recipients are not looked up yet. */
export interface PreparedMessage {
  readonly draft: MessageDraft
  readonly target: MessageTarget
  readonly topic: string
  readonly content: string
  /** Whether a bot answers somebody who has called it, for which it needs no right to post. */
  readonly isAnswer?: boolean
}

/** A message that could be sent now. */
export interface CheckedMessage {
  /** Null for direct messages. */
  readonly channelId: number | null
  /** The participants of a direct message, the sender included; ascending. */
  readonly userIds: readonly number[]
  readonly renderedContent: string
  /** The attachments that it links to and that its sender may read. */
  readonly attachmentIds: readonly number[]
}

/** A message that was sent. */
export interface SentMessage {
  readonly id: number
  /** What the sender follows or has unmuted by sending; absent if nothing changed. */
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

/** Whether a client is one that people read with, so that what they send counts as read. */
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
