import { escapeAttribute, escapeText } from '../html.js'
import { findAddresses, type FoundAddress } from './address-reader.js'
import type { InlineScope } from './inline-scope.js'
import { noteLink } from './link.js'
import { toOwnHref } from './link-target.js'
import { TokenTextBuilder, type LinkUse, type Token, type TokenText } from './token-text.js'

const hrefPrefix = { url: '', domain: 'http://', email: 'mailto:' }

/** URLs, domains and e-mail addresses written without link syntax. */
export function replaceBareAddresses(source: TokenText, scope: InlineScope): TokenText {
  scope.budget.spend(source.text.length)
  const builder = new TokenTextBuilder(source)
  for (const address of findAddresses(source.text)) {
    builder.replace(address.start, address.end, toToken(source.text, address, scope))
  }
  return builder.finish()
}

function toToken(text: string, { kind, start, end }: FoundAddress, scope: InlineScope): Token {
  const shown = text.slice(start, end)
  const href = toOwnHref(hrefPrefix[kind] + shown, scope.context.organizationUrl)
  noteLink(href, scope)
  const link: LinkUse = { href, title: undefined }
  const html = `<a href="${escapeAttribute(href)}">${escapeText(shown)}</a>`
  return { html, links: [link], bareLink: link }
}
