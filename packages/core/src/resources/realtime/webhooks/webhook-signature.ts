import { createHmac, timingSafeEqual } from 'node:crypto'

import { nowSeconds, systemClock } from '../../../kernel/clock.js'
import type { WebhookDelivery } from './webhook-delivery.js'

/** Header of the signature. */
export const signatureHeader = 'parley-signature'
const defaultToleranceSeconds = 300

/** A request that says that it comes from a webhook of the chat. */
export interface WebhookToVerify {
  /** The body of the request exactly as it was received, not parsed. */
  readonly payload: string | Uint8Array
  /** The header `Parley-Signature`. */
  readonly signature: string | readonly string[] | undefined
  /** The webhook's secret, or several of which one must be right. */
  readonly secret: string | readonly string[]
  /** Maximum difference between this machine's time and that of the signature. @default 300 */
  readonly toleranceSeconds?: number
}

/** The header's value: the time, and a signature with each secret. */
export function signatureOf(
  payload: string,
  secrets: readonly string[],
  timeSeconds: number,
): string {
  const signatures = secrets.map((secret) => `v1=${hmac(secret, timeSeconds, payload)}`)
  return [`t=${timeSeconds}`, ...signatures].join(',')
}

/**
 * Verifies a request of a webhook.
 *
 * @returns its content; undefined if the signature is missing, wrong, or made too long ago.
 * @throws {TypeError} if the payload is not the text or the bytes of a body, or a secret is missing.
 */
export function verifyWebhook({
  payload,
  signature,
  secret,
  toleranceSeconds = defaultToleranceSeconds,
}: WebhookToVerify): WebhookDelivery | undefined {
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array)) {
    throw new TypeError(
      'verifyWebhook: payload must be the body as it was received, a string or bytes, not parsed',
    )
  }
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (!Array.isArray(secrets) || secrets.length === 0 || secrets.some((item) => !item)) {
    throw new TypeError('verifyWebhook: secret must be a text, or a list of texts')
  }
  const parts = [signature ?? []].flat().join(',').split(',')
  const [time] = valuesOf(parts, 't')
  if (time === undefined || !/^\d{1,12}$/.test(time)) return undefined
  const given = valuesOf(parts, 'v1')
  const isSigned = secrets.some((key: string) => {
    const expected = hmac(key, Number(time), payload)
    return given.some((value) => areEqual(value, expected))
  })
  // Written so that a tolerance that is not a number refuses everything.
  const isRecent = Math.abs(nowSeconds(systemClock) - Number(time)) <= toleranceSeconds
  if (!isSigned || !isRecent) return undefined
  const text = typeof payload === 'string' ? payload : Buffer.from(payload).toString('utf8')
  // Only a holder of the secret can have signed it
  return JSON.parse(text) as WebhookDelivery
}

function hmac(secret: string, timeSeconds: number, payload: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`${timeSeconds}.`).update(payload).digest('hex')
}

function areEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function valuesOf(parts: readonly string[], name: string): string[] {
  return parts
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1))
}
