import { escapeAttribute, escapeText } from '../html.js'
import type { CompiledLinkifiers, LinkifierMatch } from '../linkifiers.js'
import type { InlineScope } from './inline-scope.js'
import { noteLink } from './link.js'
import { toHref, toOwnHref } from './link-target.js'
import {
  tokenMark,
  TokenTextBuilder,
  type LinkUse,
  type Token,
  type TokenText,
} from './token-text.js'

/**
 * Matches of the organization's linkifiers, in their stored order: earlier ones take precedence.
 */
export function replaceLinkifiers(source: TokenText, scope: InlineScope): TokenText {
  const { linkifiers } = scope.context
  if (linkifiers === undefined) return source
  let result = source
  for (let position = 0; position < linkifiers.count; position += 1) {
    result = replaceOne(result, linkifiers, position, scope)
  }
  return result
}

function replaceOne(
  source: TokenText,
  linkifiers: CompiledLinkifiers,
  position: number,
  scope: InlineScope,
): TokenText {
  const { text } = source
  const builder = new TokenTextBuilder(source)
  scope.budget.spend(text.length)
  for (const match of findMatchesBetweenTokens(text, linkifiers, position, scope)) {
    scope.budget.checkTime()
    const target = toHref(match.url)
    if (target === undefined) continue
    builder.replace(match.start, match.end, toToken(match, target, scope))
  }
  return builder.finish()
}

/**
 * Patterns run on the text between tokens, so that no match contains a token. Each part includes
 * the mark before it: no match may begin right after a token.
 */
function* findMatchesBetweenTokens(
  text: string,
  linkifiers: CompiledLinkifiers,
  position: number,
  { budget }: InlineScope,
): Generator<LinkifierMatch> {
  const mayTake = (steps: number): boolean => budget.mayLinkify(steps)
  let start = 0
  while (start < text.length) {
    const nextMark = text.indexOf(tokenMark, start)
    const end = nextMark === -1 ? text.length : nextMark
    const hasMarkBefore = start > 0
    const offset = hasMarkBefore ? start - 1 : start
    if (end > start) {
      const stretch = text.slice(offset, end)
      const from = hasMarkBefore ? 1 : 0
      for (const match of linkifiers.findMatches(position, stretch, from, mayTake)) {
        yield { ...match, start: match.start + offset, end: match.end + offset }
      }
    }
    start = end + 1
  }
}

function toToken({ text }: LinkifierMatch, target: string, scope: InlineScope): Token {
  const href = toOwnHref(target, scope.context.organizationUrl)
  noteLink(href, scope)
  const link: LinkUse = { href, title: text === href ? undefined : text }
  const html = `<a href="${escapeAttribute(href)}">${escapeText(text)}</a>`
  return text === href ? { html, links: [link], bareLink: link } : { html, links: [link] }
}
