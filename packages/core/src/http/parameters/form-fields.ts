import { unescape } from 'node:querystring'

import { parseUntrustedJson } from '../../kernel/untrusted-json.js'
import { parseWithVisibleFractions } from './json-text.js'

/** A field of a JSON body that is not a string. */
export class DecodedValue {
  /** @param visible the same value as `parseWithVisibleFractions` returns it, if known. */
  constructor(
    readonly value: unknown,
    readonly visible?: unknown,
  ) {}
}

/** The value of a field of a request: text, or the result of an earlier body parser. */
export type FieldValue = string | DecodedValue

/** The fields of a query or a form. A map, because clients choose the names. */
export type FormFields = Map<string, FieldValue>

/** Maximum number of fields in a request's query, and again in its body. */
export const maxFieldCount = 1000

/** Thrown if a form has too many fields or cannot be decoded. */
export class MalformedFormError extends Error {}

/**
 * Adds the fields of urlencoded text to `fields`; the last of repeated names wins.
 *
 * @throws {MalformedFormError} if there are more than {@link maxFieldCount} fields.
 */
export function addUrlEncodedFields(fields: FormFields, text: string): void {
  let start = 0
  let count = 0
  while (start < text.length) {
    let end = text.indexOf('&', start)
    if (end === -1) end = text.length
    // Empty fields count too: a body of only `&` would block the process for seconds.
    count += 1
    if (count > maxFieldCount) throw new MalformedFormError('Too many fields')
    // Searched in the field only: searching the whole text for every field would be quadratic.
    const field = text.slice(start, end)
    const equals = field.indexOf('=')
    if (equals !== -1) {
      fields.set(decodeComponent(field.slice(0, equals)), decodeComponent(field.slice(equals + 1)))
    } else if (field !== '') fields.set(decodeComponent(field), '')
    start = end + 1
  }
}

/**
 * Adds the members of a JSON object to `fields`: a string is the text of a field, any other value
 * stands for its JSON. The last of repeated names wins; an empty text has no fields.
 *
 * @throws {MalformedFormError} if the text is not a JSON object, has more than
 *   {@link maxFieldCount} members, or is too deep or too wide to be parsed.
 */
export function addJsonFields(fields: FormFields, text: string): void {
  if (text === '') return
  let body: unknown
  try {
    body = parseUntrustedJson(text)
  } catch (error) {
    throw new MalformedFormError('Not JSON', { cause: error })
  }
  if (!isObject(body)) throw new MalformedFormError('Not an object')
  const visible = parseWithVisibleFractions(text)
  addMembers(fields, body, isObject(visible) ? visible : undefined)
}

/**
 * Adds the fields of a body that the application's body parser has parsed. Arrays are taken as
 * JSON, except in a urlencoded body, where parsers return them for a repeated name.
 *
 * @throws {MalformedFormError} if it has more than {@link maxFieldCount} members.
 */
export function addParsedFields(fields: FormFields, body: object, isUrlEncoded: boolean): void {
  const members = isUrlEncoded
    ? Object.fromEntries(
        Object.entries(body).map(([name, value]: [string, unknown]) => [
          name,
          Array.isArray(value) ? value.at(-1) : value,
        ]),
      )
    : { ...body }
  addMembers(fields, members, undefined)
}

type Members = Readonly<Record<string, unknown>>

function addMembers(fields: FormFields, members: Members, visible: Members | undefined): void {
  const entries = Object.entries(members)
  if (entries.length > maxFieldCount) throw new MalformedFormError('Too many fields')
  for (const [name, value] of entries) {
    if (value === undefined) continue
    fields.set(name, typeof value === 'string' ? value : new DecodedValue(value, visible?.[name]))
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Decodes leniently, as the URL standard: a stray percent sign is kept, and invalid UTF-8 becomes
 * U+FFFD.
 */
function decodeComponent(encoded: string): string {
  const text = encoded.includes('+') ? withSpaces(encoded) : encoded
  return text.includes('%') ? unescape(text) : text
}

const [plus, space] = [0x2b, 0x20]

/** Replaces each byte: `replaceAll` takes seconds for a body of nothing but `+`. */
function withSpaces(encoded: string): string {
  const bytes = Buffer.from(encoded)
  for (let index = 0; index < bytes.length; index += 1) {
    if (bytes[index] === plus) bytes[index] = space
  }
  return bytes.toString()
}
