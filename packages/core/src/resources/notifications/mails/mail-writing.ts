import { escapeHtml } from '../../../kernel/html.js'
import { namedText, writtenTime, type TextWriter } from '../../../texts/index.js'
import type { MissedMessage } from './mail-template.js'

/** A message as plain text. */
export function quoteText(
  { sender, sentAtSeconds, text }: MissedMessage,
  writer: TextWriter,
): string {
  const head = namedText('MAIL_QUOTE_HEAD', { sender, time: writtenTime(writer, sentAtSeconds) })
  return `${writer.write(head)}\n${quoted(text)}`
}

/** A message as HTML. */
export function quoteHtml(
  { sender, sentAtSeconds, text }: MissedMessage,
  writer: TextWriter,
): string {
  return (
    `<p><b>${escapeHtml(sender)}</b> ${escapeHtml(writtenTime(writer, sentAtSeconds))}</p>` +
    `<blockquote style="white-space: pre-wrap">${escapeHtml(text)}</blockquote>`
  )
}

/** The end of a mail: why it was sent, and how to get no more. */
export function endText(reason: string, unsubscribeUrl: string, { write }: TextWriter): string {
  return `${reason} ${write(namedText('MAIL_STOP_AT', { url: unsubscribeUrl }))}`
}

/** The same as HTML. */
export function endHtml(reason: string, unsubscribeUrl: string, { write }: TextWriter): string {
  const stop = link(unsubscribeUrl, write(namedText('MAIL_STOP')))
  return `<p><small>${escapeHtml(reason)} ${stop}</small></p>`
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}

/** A paragraph of HTML. */
export function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`
}

/** A link of HTML. */
export function link(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`
}

/** The document of a mail. @param lines HTML. */
export function mailDocument(locale: string, lines: readonly string[]): string {
  return [
    `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"></head><body>`,
    ...lines,
    '</body></html>',
  ].join('\n')
}
