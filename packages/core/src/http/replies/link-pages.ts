import { visitorText, type ChatError } from '../../errors/index.js'
import { htmlPage, htmlPageHeaders, htmlPageType } from '../../kernel/html-page.js'
import { escapeHtml } from '../../kernel/html.js'
import { namedText } from '../../texts/index.js'
import { FileReply, type RefusedVisit } from '../operation.js'

/** The headers of pages to which links in mails lead. */
export const linkPageHeaders = htmlPageHeaders('no-referrer')

/** The page of an error for browsers that have opened a link; other clients get the JSON. */
export function linkErrorPage(
  error: ChatError,
  { writer, prefersHtml }: RefusedVisit,
): FileReply | undefined {
  if (!prefersHtml) return undefined
  const title = writer.write(namedText('PAGE_REFUSED'))
  const body = `<p>${escapeHtml(visitorText(error, writer))}</p>`
  return new FileReply(htmlPage(writer.locale, title, body), htmlPageType, {
    headers: linkPageHeaders,
  })
}
