import { createHmac, timingSafeEqual } from 'node:crypto'

import type { BusConnection, EphemeralEvent } from './bus.js'

/** The kinds of messages of a channel. */
export type MessageKind = 'head' | 'event' | 'beat'

/** An event that is in no log: the `count`th of a process. */
export interface SentEvent {
  readonly processId: string
  readonly count: number
  /** When it was sent, in milliseconds by the clock of the broker. */
  readonly sentAt: number
  /** Of the organization of the channel. The chat checks the rest by the schema of its kind. */
  readonly event: EphemeralEvent
}

/**
 * Signs messages, and accepts only those that a process with the same key has signed: for this
 * channel and as a message of this kind.
 */
export class SignedMessages {
  /** @param maxBytes longer messages are neither sent nor accepted. */
  constructor(
    private readonly connection: BusConnection,
    private readonly maxBytes: number,
  ) {}

  /** @returns undefined if the message is too long. */
  encode(channel: string, kind: MessageKind, body: string): string | undefined {
    const text = `${kind} ${this.#codeOf(channel, kind, body)} ${body}`
    return Buffer.byteLength(text) > this.maxBytes ? undefined : text
  }

  /** @returns undefined if the message is not accepted, which the chat counts. */
  decode(channel: string, text: string): { kind: MessageKind; body: string } | undefined {
    if (Buffer.byteLength(text) > this.maxBytes) return this.refuse('size')
    const [, kind, code, body] = /^(head|event|beat) ([\w-]{43}) (.*)$/s.exec(text) ?? []
    if (!isKind(kind) || code === undefined || body === undefined) {
      return this.refuse('authentication')
    }
    const expected = Buffer.from(this.#codeOf(channel, kind, body))
    if (!timingSafeEqual(expected, Buffer.from(code))) return this.refuse('authentication')
    return { kind, body }
  }

  refuse(reason: Parameters<BusConnection['refuse']>[0]): undefined {
    this.connection.refuse(reason)
  }

  #codeOf(channel: string, kind: MessageKind, body: string): string {
    const signed = JSON.stringify([channel, kind, body])
    return createHmac('sha256', this.connection.key).update(signed).digest('base64url')
  }
}

function isKind(value: string | undefined): value is MessageKind {
  return value === 'head' || value === 'event' || value === 'beat'
}

/** @returns undefined for a text that is no event of that organization. */
export function decodeEvent(organizationId: number, body: string): SentEvent | undefined {
  try {
    const message: unknown = JSON.parse(body)
    const isOwn = isSentEvent(message) && message.event.organizationId === organizationId
    return isOwn ? message : undefined
  } catch {
    return undefined
  }
}

function isSentEvent(value: unknown): value is SentEvent {
  return (
    isObject(value) &&
    isObject(value['event']) &&
    typeof value['processId'] === 'string' &&
    Number.isSafeInteger(value['count']) &&
    Number.isFinite(value['sentAt'])
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
