import { createHash } from 'node:crypto'

import { escapeHtml } from './html.js'

const style =
  'body{font:1.1em/1.5 sans-serif;max-width:28em;margin:4em auto;padding:0 1em}' +
  'label{display:block;margin-top:1em}' +
  'input:not([type=checkbox]){display:block;box-sizing:border-box;width:100%;font:inherit;' +
  'padding:.4em}small{display:block}[role=alert]{color:#a30d11}' +
  'button,.button{display:inline-block;margin-top:1.5em;padding:.6em 1.2em;color:#fff;' +
  'background:#2456b8;border:0;border-radius:.3em;font:inherit;text-decoration:none}'

export const htmlPageType = 'text/html; charset=utf-8'

/**
 * Headers of a page that has a secret in its address.
 *
 * @param referrerPolicy `same-origin` lets the server recognize its own form in browsers without
 *   Fetch Metadata.
 * @param formAction where the page may submit forms.
 */
export function htmlPageHeaders(
  referrerPolicy: 'no-referrer' | 'same-origin',
  formAction: "'self'" | "'none'" = "'self'",
): Readonly<Record<string, string>> {
  return {
    'Cache-Control': 'no-store',
    'Content-Security-Policy':
      `default-src 'none'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'; ` +
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    'Referrer-Policy': referrerPolicy,
  }
}

/**
 * A page of the server itself.
 *
 * @param locale the tag of the language of the page.
 * @param title plain text.
 * @param body HTML.
 */
export function htmlPage(locale: string, title: string, body: string): Buffer {
  const heading = escapeHtml(title)
  return Buffer.from(
    `<!doctype html><html lang="${escapeHtml(locale)}"><head><meta charset="utf-8">` +
      '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">' +
      `<title>${heading}</title><style>${style}</style></head>` +
      `<body><main><h1>${heading}</h1>${body}</main></body></html>`,
  )
}

/**
 * A text as HTML, with other HTML in place of the first occurrence of a part of it.
 *
 * @param part plain text.
 * @param html is appended if the text does not contain the part.
 */
export function markedUp(text: string, part: string, html: string): string {
  const start = text.indexOf(part)
  if (start < 0) return `${escapeHtml(text)} ${html}`
  return escapeHtml(text.slice(0, start)) + html + escapeHtml(text.slice(start + part.length))
}
