import type { EphemeralEvent } from '@parley/core'

/** What a channel of an organization carries. */
export type BusMessage =
  /** The highest number of the organization's log. */
  | { readonly head: number }
  /** An event that is in no log: the `count`th of a process. */
  | {
      readonly processId: string
      readonly count: number
      /** When it was sent, in milliseconds by the clock of Redis; processes before it do not say. */
      readonly sentAt?: number | undefined
      readonly event: EphemeralEvent
    }

export function encodeHead(head: number): string {
  return String(head)
}

export function encodeEphemeral(message: Exclude<BusMessage, { head: number }>): string {
  return JSON.stringify(message)
}

/** @returns undefined for a text that is no message of a bus. */
export function decode(text: string): BusMessage | undefined {
  if (/^\d{1,15}$/.test(text)) return { head: Number(text) }
  try {
    const message: unknown = JSON.parse(text)
    return isEphemeral(message) ? message : undefined
  } catch {
    return undefined
  }
}

function isEphemeral(value: unknown): value is Exclude<BusMessage, { head: number }> {
  if (!isObject(value) || !isObject(value.event)) return false
  const { organizationId, kind, userIds } = value.event
  const { sentAt = 0 } = value
  return (
    typeof value.processId === 'string' &&
    Number.isSafeInteger(value.count) &&
    Number.isFinite(sentAt) &&
    Number.isSafeInteger(organizationId) &&
    typeof kind === 'string' &&
    Array.isArray(userIds) &&
    userIds.every((userId) => Number.isSafeInteger(userId))
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
