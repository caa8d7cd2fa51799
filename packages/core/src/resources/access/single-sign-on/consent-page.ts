import { escapeHtml } from '../../../kernel/html.js'
import { htmlPage, htmlPageHeaders, markedUp } from '../../../kernel/html-page.js'
import { namedText, type TextWriter } from '../../../texts/index.js'

/** Lets the server recognize navigation from this page in browsers without Fetch Metadata. */
export const consentPageHeaders = {
  ...htmlPageHeaders('same-origin', "'none'"),
  'X-Frame-Options': 'DENY',
} as const

/** A page that asks a user who came from another site whether to sign in on this device. */
export function consentPage(
  organizationName: string,
  fullName: string,
  continueUrl: string,
  { locale, write }: TextWriter,
): Buffer {
  // Between invisible characters (FSI and PDI), because the name may be a word of the text.
  const part = `\u2068${fullName}\u2069`
  const question = write(namedText('PAGE_SIGN_ON_QUESTION', { name: part }))
  const name = `<strong>${escapeHtml(fullName)}</strong>`
  const action = escapeHtml(write(namedText('PAGE_SIGN_ON_CONTINUE')))
  return htmlPage(
    locale,
    organizationName,
    `<p>${markedUp(question, part, name)}</p>` +
      `<p>${escapeHtml(write(namedText('PAGE_SIGN_ON_HINT')))}</p>` +
      `<a class="button" href="${escapeHtml(continueUrl)}">${action}</a>`,
  )
}
