import { escapeHtml } from '../../../kernel/html.js'

/** A text as mails quote it. */
export function quoted(text: string): string {
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
