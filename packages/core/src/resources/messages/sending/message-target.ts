import { badRequest } from '../../../errors/index.js'
import { isSafeInteger } from '../../../kernel/safe-integer.js'
import { JsonTooLargeError, parseUntrustedJson } from '../../../kernel/untrusted-json.js'

/** The destination of a message, as its sender names it. */
export type MessageTarget =
  | {
      readonly kind: 'channel'
      readonly channel: { readonly id: number } | { readonly name: string }
    }
  | { readonly kind: 'direct'; readonly users: DirectUsers }

export type DirectUsers =
  | { readonly ids: readonly number[] }
  | { readonly emails: readonly string[] }

/** The limit of lists in other parameters; checked here, because `to` may also be plain text. */
const maxRecipients = 20_000

/** In characters. */
export const maxTargetLength = 2 * 1024 * 1024

/**
 * Parses the `to` of a channel message: an id, a name, or a list of exactly one of them.
 * Text that is not JSON is a name.
 *
 * @throws {ChatError} `BAD_REQUEST` if it is anything else.
 */
export function parseChannelTarget(to: string | undefined): MessageTarget {
  if (to === undefined) throw badRequest('RECIPIENT_CHANNEL_MISSING')
  let value = parseLoosely(to)
  if (Array.isArray(value)) {
    if (value.length !== 1) throw badRequest('RECIPIENT_CHANNEL_NOT_ONE')
    value = value[0]
  }
  if (isSafeInteger(value)) {
    return { kind: 'channel', channel: { id: value } }
  }
  if (typeof value === 'string') return { kind: 'channel', channel: { name: value.trim() } }
  throw badRequest('RECIPIENT_CHANNEL_INVALID')
}

/**
 * Parses the `to` of a direct message: a list of user ids or of addresses, or addresses
 * separated by commas.
 *
 * @throws {ChatError} `BAD_REQUEST` if it is anything else, or empty.
 */
export function parseDirectTarget(to: string | undefined): MessageTarget {
  const value = parseLoosely(to ?? '')
  const list: unknown = typeof value === 'string' ? value.split(',') : value
  if (!Array.isArray(list)) throw badRequest('RECIPIENTS_INVALID')
  if (list.length === 0) throw badRequest('RECIPIENTS_MISSING')
  if (list.length > maxRecipients) {
    throw badRequest('PARAMETER_TOO_MANY_ITEMS', { parameter: 'to', limit: maxRecipients })
  }
  const first: unknown = list[0]
  if (typeof first !== 'string' && !isSafeInteger(first)) {
    throw badRequest('RECIPIENTS_INVALID')
  }
  if (list.every(isSafeInteger)) {
    return { kind: 'direct', users: { ids: [...new Set(list)] } }
  }
  if (!list.every((item) => typeof item === 'string')) {
    throw badRequest('RECIPIENTS_MIXED')
  }
  const emails = [...new Set(list.map((email) => email.trim()))].filter((email) => email !== '')
  if (emails.length === 0) throw badRequest('RECIPIENTS_MISSING')
  return { kind: 'direct', users: { emails } }
}

function parseLoosely(text: string): unknown {
  if (text.length > maxTargetLength) {
    throw badRequest('PARAMETER_TOO_LONG', { parameter: 'to', limit: maxTargetLength })
  }
  try {
    return parseUntrustedJson(text)
  } catch (error) {
    if (error instanceof JsonTooLargeError) {
      throw error.limit === undefined
        ? badRequest('PARAMETER_INVALID_JSON', { parameter: 'to' })
        : badRequest('PARAMETER_TOO_MANY_ITEMS', { parameter: 'to', limit: maxRecipients })
    }
    // Not JSON: the text is a name or addresses.
    return text
  }
}
