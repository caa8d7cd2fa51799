import type { AddressObject } from 'mailparser'

import { filesOf, type MailFile } from './mail-files.js'
import { headerLength, maxHeaderBytes, readMail, type ReadMail } from './mail-reader.js'
import { MailRefused } from './received-mail.js'

const maxParts = 100
/** Lines of base 64 in 20 MB; the parser needs memory and time for each line. */
const maxLines = 300_000

/** The parts of a mail from which a message is made. */
export interface IncomingMailContent {
  readonly subject: string
  /** The sender that the mail claims to have. */
  readonly from: { readonly name: string; readonly address: string } | undefined
  /** The addresses in the headers about recipients, in the order of their reliability. */
  readonly recipients: readonly string[]
  /** `Message-ID`; undefined without one. */
  readonly id: string | undefined
  readonly text: string | undefined
  readonly html: string | undefined
  /** Whether the HTML has parts that the text has not, instead of being its other form. */
  readonly hasMixedText: boolean
  readonly files: readonly MailFile[]
  /** The values of all headers of a name, in lower case. */
  readonly headers: (name: string) => readonly string[]
}

/**
 * Parses a mail, in slices that let other work go on.
 *
 * @throws {MailRefused} `malformed`, or `too_large` if the headers are too long or the parts are too
 *   many.
 */
export async function parseMail(raw: Uint8Array): Promise<IncomingMailContent> {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  if (headerLength(bytes, maxHeaderBytes + 1) > maxHeaderBytes || hasTooManyLines(bytes))
    throw new MailRefused('too_large')
  const options = {
    skipHtmlToText: true,
    checksumAlgo: false as const,
    maxHeadSize: maxHeaderBytes,
    maxChildNodes: maxParts,
  }
  let mail: ReadMail
  try {
    mail = await readMail(bytes, options)
  } catch (error) {
    const isLimit = error instanceof Error && /exceeded/.test(error.message)
    throw new MailRefused(isLimit ? 'too_large' : 'malformed')
  }
  const hasHeaders = mail.headerLines.some(({ key, line }) => line.includes(':') && key !== '')
  if (!hasHeaders) throw new MailRefused('malformed')
  return contentOf(mail, await filesOf(mail.attachments, headersOf(mail, 'content-type')[0]))
}

function hasTooManyLines(bytes: Buffer): boolean {
  let end = -1
  for (let count = 0; count <= maxLines; count += 1) {
    end = bytes.indexOf('\n', end + 1)
    if (end === -1) return false
  }
  return true
}

function contentOf(read: ReadMail, files: readonly MailFile[]): IncomingMailContent {
  const { mail, hasMixedText } = read
  const headers = (name: string) => headersOf(read, name)
  const [from] = mail.from?.value ?? []
  return {
    subject: mail.subject ?? '',
    from:
      from?.address === undefined || from.address === '' || !hasOneAddress(headers('from'))
        ? undefined
        : { name: from.name ?? '', address: from.address },
    recipients: [
      ...['delivered-to', 'x-original-to', 'envelope-to'].flatMap(headers),
      ...addressesOf(mail.to),
      ...addressesOf(mail.cc),
    ],
    id: mail.messageId,
    text: mail.text || undefined,
    html: mail.html || undefined,
    hasMixedText,
    files,
    headers,
  }
}

/**
 * Whether the header `From` has one address only. Of several, the mail server may have checked
 * another one than is read here: such a mail has no sender.
 */
function hasOneAddress(headers: readonly string[]): boolean {
  const [header = '', ...others] = headers
  // An address after a route, `<@host:name@host>`, is obsolete (RFC 5322, 4.4).
  if (others.length > 0 || header.includes('<@')) return false
  const words = unquoted(header)
    .toLowerCase()
    .split(/[\s<>(),;:]+/)
  return new Set(words.filter((word) => word.includes('@'))).size === 1
}

/** A header without its quoted strings. */
function unquoted(header: string): string {
  let rest = ''
  let isQuoted = false
  for (let index = 0; index < header.length; index += 1) {
    const character = header[index]
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted && character === '\\') index += 1
    else if (!isQuoted) rest += character
  }
  return rest
}

function headersOf({ headerLines }: ReadMail, name: string): string[] {
  return headerLines
    .filter(({ key }) => key === name)
    .map(({ line }) =>
      line
        .slice(line.indexOf(':') + 1)
        .replaceAll(/\r?\n/g, ' ')
        .trim(),
    )
}

function addressesOf(header: AddressObject | AddressObject[] | undefined): string[] {
  return [header ?? []].flat().flatMap(({ value }) => value.map(({ address = '' }) => address))
}
