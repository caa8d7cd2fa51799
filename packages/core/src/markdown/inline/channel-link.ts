import { escapeAttribute, escapeText } from '../html.js'
import { encodeForHash } from './hash-encoding.js'
import type { InlineScope } from './inline-scope.js'
import { mayBeginMention } from './neighbors.js'
import { tokenMark, TokenTextBuilder, type TokenText } from './token-text.js'

/** The target of `#**…**`. */
export interface ChannelReference {
  readonly channelName: string
  /** Undefined for a link to the whole channel; `''` is the empty topic. */
  readonly topic?: string
  /** Digits of a link to one message. */
  readonly messageId?: string
}

/** `#**channel**`, `#**channel>topic**` and `#**channel>topic@message**`. */
export function replaceChannelLinks(source: TokenText, scope: InlineScope): TokenText {
  const { text } = source
  const builder = new TokenTextBuilder(source)
  let start = text.indexOf('#**')
  while (start !== -1) {
    const end = text.indexOf('*', start + 3)
    if (end === -1) break
    scope.budget.spend(end - start)
    const inner = text.slice(start + 3, end)
    let next = start + 3
    const isLink = inner !== '' && text.startsWith('**', end) && !inner.includes(tokenMark)
    const html = isLink && mayBeginMention(text, start) ? linkHtml(inner, scope) : undefined
    if (html !== undefined) {
      next = end + 2
      scope.sideData.hasLink = true
      builder.replace(start, next, { html })
    }
    start = text.indexOf('#**', next)
  }
  return builder.finish()
}

/** All interpretations of the inside of `#**…**`, the most specific first. */
export function readChannelReferences(inner: string): ChannelReference[] {
  const readings: ChannelReference[] = []
  const bracket = inner.indexOf('>')
  if (bracket > 0) {
    const channelName = inner.slice(0, bracket)
    const rest = inner.slice(bracket + 1)
    const at = rest.lastIndexOf('@')
    const messageId = rest.slice(at + 1)
    if (at !== -1 && /^[0-9]{1,15}$/.test(messageId)) {
      readings.push({ channelName, topic: rest.slice(0, at), messageId })
    }
    readings.push({ channelName, topic: rest })
  }
  readings.push({ channelName: inner })
  return readings
}

function linkHtml(inner: string, { context }: InlineScope): string | undefined {
  for (const { channelName, topic, messageId } of readChannelReferences(inner)) {
    const channel = context.findChannelByName(channelName)
    if (channel === undefined) continue
    const slug = `${channel.id}-${encodeForHash(channel.name.replaceAll(' ', '-'))}`
    const channelUrl = `/#narrow/channel/${slug}`
    const label = `#${escapeText(channel.name)}`
    if (topic === undefined) {
      return `<a class="stream" data-stream-id="${channel.id}" href="${escapeAttribute(channelUrl)}">${label}</a>`
    }
    const topicUrl = `${channelUrl}/topic/${encodeForHash(topic)}`
    const topicLabel = topicHtml(topic, context.settings.emptyTopicDisplayName)
    if (messageId !== undefined) {
      const href = escapeAttribute(`${topicUrl}/near/${messageId}`)
      return `<a class="message-link" href="${href}">${label} &gt; ${topicLabel} @ 💬</a>`
    }
    const latestId = context.findLatestMessageId(channel.id, topic)
    const href = escapeAttribute(latestId === undefined ? topicUrl : `${topicUrl}/with/${latestId}`)
    return `<a class="stream-topic" data-stream-id="${channel.id}" href="${href}">${label} &gt; ${topicLabel}</a>`
  }
  return undefined
}

function topicHtml(topic: string, emptyTopicDisplayName: string): string {
  return topic === '' ? `<em>${escapeText(emptyTopicDisplayName)}</em>` : escapeText(topic)
}
