import { escapeAttribute } from '../html.js'
import { toSource } from '../previews/previewable.js'
import type { InlineScope } from './inline-scope.js'
import { noteUpload } from './link.js'
import { LinkReader, type LinkSyntax } from './link-syntax.js'
import { pathOf, toHref, toOwnHref, uploadPath, uploadPathIdOf } from './link-target.js'
import { tokenMark, TokenTextBuilder, type Token, type TokenText } from './token-text.js'

const audioExtension = /\.(?:aac|flac|mp3|wav)$/i
const audioType = /^audio\/(?:x-|vnd\.)?(?:aac|flac|mpeg|wave?)$/

/** `![title](address)` of an audio file. There is no such syntax for images. */
export function replaceAudio(source: TokenText, scope: InlineScope): TokenText {
  const { text } = source
  if (!text.includes('](')) return source
  scope.budget.spend(text.length)
  const reader = new LinkReader(text)
  const builder = new TokenTextBuilder(source)
  let start = text.indexOf('![')
  while (start !== -1) {
    scope.budget.spend(1)
    const link = reader.read(start + 1)
    const token = link && audioToken(text.slice(link.textStart, link.textEnd), link, scope)
    let next = start + 2
    if (link !== undefined && token !== undefined) {
      next = link.end
      builder.replace(start, next, token)
    }
    start = text.indexOf('![', next)
  }
  return builder.finish()
}

function audioToken(label: string, { address }: LinkSyntax, scope: InlineScope): Token | undefined {
  const { context } = scope
  const target = toHref(address)
  if (target === undefined || label.includes(tokenMark)) return undefined
  const href = toOwnHref(target, context.organizationUrl)
  const pathId = uploadPathIdOf(href, context.organizationUrl)
  const title = label === '' ? '' : ` title="${escapeAttribute(label)}"`
  if (pathId !== undefined) {
    const upload = context.findUpload(pathId)
    if (upload === undefined || !audioType.test(upload.contentType)) return undefined
    noteUpload(href, scope)
    const source = escapeAttribute(uploadPath(pathId, context.organizationUrl))
    return { html: `<audio controls preload="metadata" src="${source}"${title}></audio>` }
  }
  if (!/^https?:/.test(href) || !audioExtension.test(pathOf(href))) return undefined
  const source = toSource(href, context)
  if (source === undefined) return undefined
  const original = escapeAttribute(href)
  return {
    html: `<audio controls data-original-url="${original}" preload="metadata" src="${escapeAttribute(source)}"${title}></audio>`,
  }
}
