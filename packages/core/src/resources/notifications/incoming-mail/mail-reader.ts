import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { HeaderLines, MailParser, MailParserOptions } from 'mailparser'

import { escapeHtml } from '../../../kernel/html.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { loadMailParser } from './load-packages.js'

/** Maximum size of the headers of a mail or a part, in bytes. */
export const maxHeaderBytes = 64 * 1024
const chunkBytes = 16 * 1024
/** Characters and lines of a text that are looked at: an answer may be below a long quote. */
const maxTextLength = 256 * 1024
const maxTextLines = 20_000
/** Marks a text part in the HTML of a mail. */
const textPart = '<div class="parley-text-part">'

/** An attachment, with its content in memory. */
export interface ReadAttachment {
  readonly contentType: string
  readonly filename: string | undefined
  readonly contentDisposition: string | undefined
  /** Its place, such as `1.2`. */
  readonly partId: string | null
  readonly content: Buffer
}

export interface ReadMail {
  readonly mail: MailParser
  readonly headerLines: HeaderLines
  readonly attachments: readonly ReadAttachment[]
  /** Whether the text is only some of the parts: its HTML has them all. */
  readonly hasMixedText: boolean
}

/** Reads a mail in slices that let other work go on. @throws the errors of the parser. */
export async function readMail(bytes: Buffer, options: MailParserOptions): Promise<ReadMail> {
  const library = await loadMailParser()
  /** The parser converts the text parts that are not another form of the HTML. */
  class Reader extends library.MailParser {
    override textToHtml(text: string): string {
      const html = escapeHtml(startOfText(text)).replaceAll('\n', '<br>')
      return `${textPart}${html}</div>`
    }
  }
  const mail = new Reader(options)
  const attachments: ReadAttachment[] = []
  mail.on('data', (data) => {
    if (data.type !== 'attachment') return
    const { contentType, filename, contentDisposition, partId } = data
    const chunks: Buffer[] = []
    data.content.on('data', (chunk: Buffer) => chunks.push(chunk))
    data.content.once('end', () => {
      const content = Buffer.concat(chunks)
      attachments.push({ contentType, filename, contentDisposition, partId, content })
      data.release?.()
    })
  })
  await pipeline(Readable.from(slices(bytes)), mail)
  const hasMixedText = mail.html !== false && mail.html.includes(textPart)
  return { mail, headerLines: mail.headerLines || [], attachments, hasMixedText }
}

/** The part of a text that is looked at: its other forms are made of it without yields. */
export function startOfText(text: string): string {
  return text.slice(0, maxTextLength).split('\n', maxTextLines).join('\n')
}

async function* slices(bytes: Buffer): AsyncGenerator<Buffer> {
  const yielder = new EventLoopYielder()
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    if (yielder.isDue) await yielder.yield()
    yield bytes.subarray(start, start + chunkBytes)
  }
}

/** The length of the headers, up to a limit. */
export function headerLength(bytes: Buffer, limit: number): number {
  const head = bytes.subarray(0, limit + 4)
  const ends = ['\r\n\r\n', '\n\n'].map((end) => head.indexOf(end)).filter((end) => end !== -1)
  return Math.min(bytes.length, limit, ...ends)
}
