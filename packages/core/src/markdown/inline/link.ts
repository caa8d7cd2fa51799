import { escapeAttribute, escapeText } from '../html.js'
import { isBlank } from '../characters.js'
import type { InlineScope } from './inline-scope.js'
import { LinkReader, type LinkSyntax } from './link-syntax.js'
import { toHref, toOwnHref, uploadPathIdOf } from './link-target.js'
import { TokenTextBuilder, type LinkUse, type Token, type TokenText } from './token-text.js'

/** `[text](address "title")`, unless preceded by `!`. The text is literal. */
export function replaceLinks(source: TokenText, scope: InlineScope): TokenText {
  const { text } = source
  if (!text.includes('](')) return source
  scope.budget.spend(text.length)
  const reader = new LinkReader(text)
  const builder = new TokenTextBuilder(source)
  let start = text.indexOf('[')
  while (start !== -1) {
    scope.budget.spend(1)
    const isImage = text.charCodeAt(start - 1) === 0x21
    const link = isImage ? undefined : reader.read(start)
    const href = link && toHref(link.address)
    if (link === undefined || href === undefined) {
      start = text.indexOf('[', start + 1)
      continue
    }
    const label = builder.slice(link.textStart, link.textEnd)
    builder.replace(start, link.end, namedLinkToken(label, link, href, scope))
    start = text.indexOf('[', link.end)
  }
  return builder.finish()
}

/** Records that the message has a link, and the upload that `href` may refer to. */
export function noteLink(href: string, scope: InlineScope): void {
  scope.sideData.hasLink = true
  noteUpload(href, scope)
}

/** Records the upload that `href` may refer to, so that the message claims it. */
export function noteUpload(href: string, { context, sideData }: InlineScope): void {
  const pathId = uploadPathIdOf(href, context.organizationUrl)
  if (pathId !== undefined) sideData.attachmentPathIds.add(pathId)
}

function namedLinkToken(
  label: TokenText,
  { title }: LinkSyntax,
  target: string,
  scope: InlineScope,
): Token {
  const href = toOwnHref(target, scope.context.organizationUrl)
  noteLink(href, scope)
  const isNamed = label.tokens.length > 0 || !isBlank(label.text)
  const isBare = !isNamed || label.text === href
  const link: LinkUse = { href, title: isBare || label.tokens.length > 0 ? undefined : label.text }
  const titleAttribute = title === undefined ? '' : ` title="${escapeAttribute(title)}"`
  const content = isNamed ? literalHtml(label) : escapeText(target)
  const html = `<a href="${escapeAttribute(href)}"${titleAttribute}>${content}</a>`
  return isBare ? { html, links: [link], bareLink: link } : { html, links: [link] }
}

/** The label as typed, with the matches of earlier rules. */
function literalHtml({ text, tokens }: TokenText): string {
  if (tokens.length === 0) return escapeText(text)
  const parts = text.split('\u0002')
  return parts.map((part, index) => escapeText(part) + (tokens[index]?.html ?? '')).join('')
}
