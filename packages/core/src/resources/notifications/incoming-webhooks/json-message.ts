import { limits } from '../../../domain/limits.js'
import { quoteBlock } from '../../../domain/messages/quote-block.js'
import { isRecord } from '../../../kernel/objects.js'
import type { WebhookText } from './slack-message.js'

/** The topic of JSON that has none. */
const defaultTopic = 'JSON'

/**
 * The message of any JSON: its `text`, as Markdown, in its `topic`; or, without a `text`, the whole
 * JSON as a code block.
 */
export function messageOfJson(payload: unknown): WebhookText {
  const { text, topic } = isRecord(payload) ? payload : {}
  const ownTopic = typeof topic === 'string' && topic.trim() !== '' ? topic : defaultTopic
  if (typeof text === 'string' && text.trim() !== '') return { content: text, topic: ownTopic }
  return { content: codeBlockOf(payload), topic: ownTopic }
}

function codeBlockOf(payload: unknown): string {
  const short = JSON.stringify(payload)
  // The indented form of a long, deeply nested value can be many times longer.
  const isShort = short.length <= limits.maxMessageLength
  return quoteBlock(
    'json',
    isShort ? JSON.stringify(payload, null, 2) : short.slice(0, 2 * limits.maxMessageLength),
    limits.maxMessageLength,
  )
}
