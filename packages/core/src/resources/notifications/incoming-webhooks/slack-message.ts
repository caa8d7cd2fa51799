import { markdownLink } from '../../../domain/markdown-link.js'
import { isRecord } from '../../../kernel/objects.js'
import { headed, joined, markdownOfBlock, recordsIn, stringIn } from './slack-blocks.js'
import { markdownOfSlack } from './slack-text.js'

/** A message of an incoming webhook. */
export interface WebhookText {
  readonly content: string
  /** Used if the URL of the webhook has no topic. */
  readonly topic: string | undefined
}

/**
 * Converts the payload of a Slack incoming webhook: its blocks or, without any, its text, and then
 * its attachments. `channel` is the topic, because the URL names the channel.
 */
export function messageOfSlack(payload: unknown): WebhookText {
  const fields = isRecord(payload) ? payload : {}
  const blocks = joined(recordsIn(fields['blocks']).map(markdownOfBlock), '\n\n')
  const attachments = recordsIn(fields['attachments']).map(markdownOfAttachment)
  const channel = stringIn(fields['channel']).replace(/^[@#]/, '').trim()
  return {
    content: joined([blocks || markdownOfSlack(stringIn(fields['text'])), ...attachments], '\n\n'),
    topic: channel === '' ? undefined : channel,
  }
}

type Fields = Readonly<Record<string, unknown>>

function markdownOfAttachment(attachment: Fields): string {
  const title = stringIn(attachment['title'])
  const content = [
    markdownOfSlack(stringIn(attachment['pretext'])),
    stringIn(attachment['author_name']),
    headed(title === '' ? '' : markdownLink(stringIn(attachment['title_link']), title)),
    markdownOfSlack(stringIn(attachment['text'])),
    ...recordsIn(attachment['fields']).map(markdownOfField),
    joined(recordsIn(attachment['blocks']).map(markdownOfBlock), '\n\n'),
    linkOf(attachment['image_url']),
    linkOf(attachment['thumb_url']),
    stringIn(attachment['footer']),
  ]
  return joined(content) || markdownOfSlack(stringIn(attachment['fallback']))
}

function markdownOfField(field: Fields): string {
  const [title, value] = [stringIn(field['title']), markdownOfSlack(stringIn(field['value']))]
  return title === '' ? value : `**${title}**: ${value}`
}

function linkOf(url: unknown): string {
  return typeof url === 'string' ? markdownLink(url, 'image') : ''
}
