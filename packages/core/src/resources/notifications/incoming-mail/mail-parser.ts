import { Readable } from 'node:stream'

import type { AddressObject, Attachment, ParsedMail } from 'mailparser'

import { extensionOf } from '../../../domain/content-types.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { loadMailParser } from './load-packages.js'
import { MailRefused } from './received-mail.js'

/** Maximum size of the headers of a mail or a part, in bytes. */
const maxHeaderBytes = 64 * 1024
const maxParts = 100
/** Lines of base 64 in 20 MB; the parser needs memory and time for each line. */
const maxLines = 300_000
const chunkBytes = 16 * 1024
const maxSubjectLength = 80
/** Types of parts that only have the text of a mail in another form. */
const textForms = new Set([
  'text/x-amp-html',
  'text/watch-html',
  'text/enriched',
  'text/richtext',
  'text/rtf',
  'application/rtf',
])

/** A file of a mail. */
export interface MailFile {
  readonly name: string
  readonly contentType: string
  readonly content: Buffer
}

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
  const { simpleParser } = await loadMailParser()
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  if (headerBytes(bytes) > maxHeaderBytes || hasTooManyLines(bytes))
    throw new MailRefused('too_large')
  const options = {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
    maxHeadSize: maxHeaderBytes,
    maxChildNodes: maxParts,
  }
  let mail: ParsedMail
  try {
    mail = await simpleParser(Readable.from(slices(bytes)), options)
  } catch (error) {
    const isLimit = error instanceof Error && /exceeded/.test(error.message)
    throw new MailRefused(isLimit ? 'too_large' : 'malformed')
  }
  const hasHeaders = mail.headerLines.some(({ key, line }) => line.includes(':') && key !== '')
  if (!hasHeaders) throw new MailRefused('malformed')
  return contentOf(mail, await filesOf(mail))
}

async function* slices(bytes: Buffer): AsyncGenerator<Buffer> {
  const yielder = new EventLoopYielder()
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    if (yielder.isDue) await yielder.yield()
    yield bytes.subarray(start, start + chunkBytes)
  }
}

/** The length of the headers, without reading further than needed. */
function headerBytes(bytes: Buffer): number {
  const head = bytes.subarray(0, maxHeaderBytes + 4)
  const ends = ['\r\n\r\n', '\n\n'].map((end) => head.indexOf(end)).filter((end) => end !== -1)
  return Math.min(bytes.length, ...ends)
}

function hasTooManyLines(bytes: Buffer): boolean {
  let end = -1
  for (let count = 0; count <= maxLines; count += 1) {
    end = bytes.indexOf('\n', end + 1)
    if (end === -1) return false
  }
  return true
}

function contentOf(mail: ParsedMail, files: readonly MailFile[]): IncomingMailContent {
  const headers = (name: string) => headersOf(mail, name)
  const [from] = mail.from?.value ?? []
  return {
    subject: mail.subject ?? '',
    from:
      from?.address === undefined || from.address === ''
        ? undefined
        : { name: from.name ?? '', address: from.address },
    recipients: [
      ...['delivered-to', 'x-original-to', 'envelope-to'].flatMap(headers),
      ...addressesOf(mail.to),
      ...addressesOf(mail.cc),
    ],
    id: mail.messageId,
    text: mail.text,
    html: mail.html === false ? undefined : mail.html,
    files,
    headers,
  }
}

function headersOf({ headerLines }: ParsedMail, name: string): string[] {
  return headerLines
    .filter(({ key }) => key === name)
    .map(({ line }) =>
      line
        .slice(line.indexOf(':') + 1)
        .replaceAll(/\r?\n/g, ' ')
        .trim(),
    )
}

async function filesOf(mail: ParsedMail): Promise<MailFile[]> {
  const [rootType = ''] = headersOf(mail, 'content-type')
  const files: MailFile[] = []
  for (const attachment of mail.attachments) {
    const { filename, contentType, content } = attachment
    if (isSameText(attachment, rootType) || isAttachedTwice(attachment, mail)) continue
    files.push({ name: filename ?? (await nameOf(attachment)), contentType, content })
  }
  return files
}

async function nameOf({ contentType, content }: Attachment): Promise<string> {
  const extension = extensionOf(contentType)
  if (extension === 'eml') return `${(await subjectOf(content)) || 'message'}.eml`
  const name = extension === 'ics' ? 'invite' : 'attachment'
  return extension === '' ? name : `${name}.${extension}`
}

/** The subject of an attached mail. */
async function subjectOf(mail: Buffer): Promise<string> {
  try {
    const { subject } = await parseMail(
      mail.subarray(0, Math.min(headerBytes(mail), maxHeaderBytes)),
    )
    return subject.slice(0, maxSubjectLength)
  } catch (error) {
    if (error instanceof MailRefused) return ''
    throw error
  }
}

/** Whether a part is another form of the text. A calendar is not: programs read it. */
function isSameText(
  { contentType, filename, contentDisposition, partId }: Attachment,
  rootType: string,
): boolean {
  if (filename !== undefined || contentDisposition === 'attachment') return false
  const isAlternative =
    /^multipart\/alternative\b/i.test(rootType) && /^\d{1,9}$/.test(partId ?? '')
  return isAlternative
    ? contentType.startsWith('text/') && contentType !== 'text/calendar'
    : textForms.has(contentType)
}

/** Calendars are often attached once without a name, for the mail program, and once with one. */
function isAttachedTwice({ filename, content }: Attachment, { attachments }: ParsedMail): boolean {
  return (
    filename === undefined &&
    attachments.some((other) => other.filename !== undefined && other.content.equals(content))
  )
}

function addressesOf(header: AddressObject | AddressObject[] | undefined): string[] {
  return [header ?? []].flat().flatMap(({ value }) => value.map(({ address = '' }) => address))
}
