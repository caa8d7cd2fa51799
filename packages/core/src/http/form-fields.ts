import { unescape } from 'node:querystring'

import { parseWithVisibleFractions } from './json-text.js'

/** A field of a JSON body that is not a string. */
export class DecodedValue {
  /** @param visible the same value as `parseWithVisibleFractions` has it, where that is known. */
  constructor(
    readonly value: unknown,
    readonly visible?: unknown,
  ) {}
}

/** What a request carries under one name: text, or what became of it before it reached us. */
export type FieldValue = string | DecodedValue

/** The fields of a query or a form. A map, because the names are the client's. */
export type FormFields = Map<string, FieldValue>

/** How many fields one request may carry in its query, and again in its body. */
export const maxFieldCount = 1000

/** Thrown where a form has too many fields or text that is not what it claims to be. */
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
    // Empty ones count too: a body of nothing else would keep the process busy for seconds.
    count += 1
    if (count > maxFieldCount) throw new MalformedFormError('Too many fields')
    // Looked for in the field alone: the whole text would be searched again for each without one.
    const field = text.slice(start, end)
    const equals = field.indexOf('=')
    if (equals !== -1) {
      fields.set(decodeComponent(field.slice(0, equals)), decodeComponent(field.slice(equals + 1)))
    } else if (field !== '') fields.set(decodeComponent(field), '')
    start = end + 1
  }
}

/**
 * Adds the members of a JSON object to `fields`: a string is the text of a field, anything else is
 * what a field's JSON would have been. Of repeated names the last wins; an empty text has none.
 *
 * @throws {MalformedFormError} if the text is not a JSON object, or has more than
 *   {@link maxFieldCount} members.
 */
export function addJsonFields(fields: FormFields, text: string): void {
  if (text === '') return
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw new MalformedFormError('Not JSON', { cause: error })
  }
  if (!isObject(body)) throw new MalformedFormError('Not an object')
  const visible = parseWithVisibleFractions(text)
  addMembers(fields, body, isObject(visible) ? visible : undefined)
}

/**
 * Adds what a body parser of the host made of a body. Lists are taken as JSON, except in a
 * urlencoded body, where they are how parsers report a repeated name.
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

/** A stray percent sign stands for itself and bad UTF-8 for U+FFFD, as in the URL standard. */
function decodeComponent(encoded: string): string {
  const text = encoded.includes('+') ? withSpaces(encoded) : encoded
  return text.includes('%') ? unescape(text) : text
}

const [plus, space] = [0x2b, 0x20]

/** Byte by byte: `replaceAll` takes seconds for a body that is nothing else. */
function withSpaces(encoded: string): string {
  const bytes = Buffer.from(encoded)
  for (let index = 0; index < bytes.length; index += 1) {
    if (bytes[index] === plus) bytes[index] = space
  }
  return bytes.toString()
}
