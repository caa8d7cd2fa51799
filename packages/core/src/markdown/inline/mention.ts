import { escapeText } from '../html.js'
import type { InlineScope } from './inline-scope.js'
import { mayBeginMention } from './neighbors.js'
import { tokenMark, TokenTextBuilder, type TokenText } from './token-text.js'

export const channelWildcards: ReadonlySet<string> = new Set([
  'all',
  'everyone',
  'stream',
  'channel',
])
export const topicWildcard = 'topic'

/** `@**name**`, `@**name|id**`, `@**|id**`, wildcards, and their silent forms with `@_`. */
export function replaceUserMentions(source: TokenText, scope: InlineScope): TokenText {
  return replaceMentions(source, scope, '**', (name, isSilent) => {
    if (channelWildcards.has(name)) return channelWildcardHtml(name, isSilent, scope)
    if (name === topicWildcard) return topicWildcardHtml(isSilent, scope)
    return userMentionHtml(name, isSilent, scope)
  })
}

/** `@*name*` and `@_*name*` for user groups. */
export function replaceGroupMentions(source: TokenText, scope: InlineScope): TokenText {
  return replaceMentions(source, scope, '*', (name, isSilent) =>
    groupMentionHtml(name, isSilent, scope),
  )
}

function replaceMentions(
  source: TokenText,
  { budget }: InlineScope,
  marks: string,
  render: (name: string, isSilent: boolean) => string | undefined,
): TokenText {
  const { text } = source
  const builder = new TokenTextBuilder(source)
  let start = text.indexOf('@')
  while (start !== -1) {
    const isSilent = text.charCodeAt(start + 1) === 0x5f
    const marksStart = isSilent ? start + 2 : start + 1
    let next = start + 1
    if (text.startsWith(marks, marksStart) && mayBeginMention(text, start)) {
      const nameStart = marksStart + marks.length
      const nameEnd = text.indexOf('*', nameStart)
      if (nameEnd === -1) break
      budget.spend(nameEnd - start)
      const name = text.slice(nameStart, nameEnd)
      const isName = name !== '' && text.startsWith(marks, nameEnd) && !name.includes(tokenMark)
      const html = isName ? render(name, isSilent) : undefined
      if (html !== undefined) {
        next = nameEnd + marks.length
        builder.replace(start, next, { html })
      }
    }
    start = text.indexOf('@', next)
  }
  return builder.finish()
}

function userMentionHtml(
  reference: string,
  isTypedSilent: boolean,
  { context, sideData, isInQuote }: InlineScope,
): string | undefined {
  const { name, id } = parseUserReference(reference)
  const user = id === undefined ? context.findUserByName(name) : context.findUser(id)
  if (user === undefined) return undefined
  if (id !== undefined && name !== '' && name !== user.fullName) return undefined
  const isSilent = isTypedSilent || isInQuote || !user.isActive
  if (!isSilent) sideData.mentionedUserIds.add(user.id)
  const shown = escapeText(isSilent ? user.fullName : `@${user.fullName}`)
  const classes = isSilent ? 'user-mention silent' : 'user-mention'
  return `<span class="${classes}" data-user-id="${user.id}">${shown}</span>`
}

/** Splits `Mira Okafor|31` and `|31`; a reference without digits at the end is a name alone. */
export function parseUserReference(reference: string): { name: string; id?: number } {
  const bar = reference.lastIndexOf('|')
  const digits = reference.slice(bar + 1)
  if (bar === -1 || !/^[0-9]{1,15}$/.test(digits)) return { name: reference }
  return { name: reference.slice(0, bar), id: Number(digits) }
}

function channelWildcardHtml(
  word: string,
  isTypedSilent: boolean,
  { sideData, isInQuote }: InlineScope,
): string {
  const isSilent = isTypedSilent || isInQuote
  if (!isSilent) sideData.mentionsChannelWildcard = true
  const classes = `user-mention channel-wildcard-mention${isSilent ? ' silent' : ''}`
  return `<span class="${classes}" data-user-id="*">${isSilent ? '' : '@'}${word}</span>`
}

function topicWildcardHtml(isTypedSilent: boolean, { sideData, isInQuote }: InlineScope): string {
  if (isTypedSilent || isInQuote) return '<span class="topic-mention silent">topic</span>'
  sideData.mentionsTopicWildcard = true
  return '<span class="topic-mention">@topic</span>'
}

function groupMentionHtml(
  name: string,
  isTypedSilent: boolean,
  { context, sideData, isInQuote }: InlineScope,
): string | undefined {
  const group = context.findGroupByName(name)
  if (group === undefined) return undefined
  const isSilent = isTypedSilent || isInQuote || !group.isActive
  if (!isSilent) sideData.mentionedGroupIds.add(group.id)
  const label = escapeText(group.displayName ?? group.name)
  const classes = isSilent ? 'user-group-mention silent' : 'user-group-mention'
  const shown = isSilent ? label : `@${label}`
  return `<span class="${classes}" data-user-group-id="${group.id}">${shown}</span>`
}
