import { isRecord } from '../../../kernel/objects.js'
import { SlackBlocks } from './slack-blocks.js'
import { joined, recordsIn, textIn, withinLimits, type Fields } from './slack-fields.js'
import { timeOf } from './slack-links.js'
import { headed, linkedText, linkTo, markdownOfText } from './slack-objects.js'
import { markdownOfSlack } from './slack-text.js'

/** The parts of an attachment that are shown at their places, or instead of others. */
const knownParts = new Set([
  'pretext',
  'author_name',
  'author_link',
  'author_subname',
  'title',
  'title_link',
  'text',
  'fields',
  'blocks',
  'actions',
  'image_url',
  'thumb_url',
  'footer',
  'ts',
  'fallback',
])

/** A message of an incoming webhook. */
export interface WebhookText {
  readonly content: string
  /** Used if the URL of the webhook has no topic. */
  readonly topic: string | undefined
}

/**
 * Converts the payload of a Slack incoming webhook: its blocks or, without any, its text, and then
 * its attachments. The text is shown too if a block or an attachment shows nothing. `channel` is
 * the topic, because the URL names the channel.
 */
export function messageOfSlack(payload: unknown): WebhookText {
  const limited = withinLimits(payload)
  const fields = isRecord(limited) ? limited : {}
  const converter = new SlackBlocks()
  const blocks = converter.all(fields['blocks'])
  const attachments = recordsIn(fields['attachments']).map(textOfAttachment)
  const showsText =
    blocks === '' || converter.isIncomplete || attachments.some(({ isIncomplete }) => isIncomplete)
  const text = showsText ? textOf(fields) : ''
  const channel = textIn(fields['channel']).replace(/^[@#]/, '').trim()
  return {
    content: joined([text, blocks, ...attachments.map(({ markdown }) => markdown)], '\n\n'),
    topic: channel === '' ? undefined : channel,
  }
}

function textOf({ text, mrkdwn }: Fields): string {
  return mrkdwn === false ? linkedText(text) : markdownOfText(text)
}

interface AttachmentText {
  readonly markdown: string
  /** Whether a part shows nothing, and there is no `fallback`. */
  readonly isIncomplete: boolean
}

function textOfAttachment(attachment: Fields): AttachmentText {
  const { pretext, author_name, author_link, author_subname, title, title_link, text } = attachment
  const converter = new SlackBlocks()
  const content = joined([
    markdownOfText(pretext),
    joined([titled(author_link, author_name), linkedText(author_subname)], ' '),
    headed(titled(title_link, title)),
    markdownOfText(text),
    ...recordsIn(attachment['fields']).map(markdownOfField),
    converter.all(attachment['blocks']),
    converter.line(attachment['actions']),
    converter.textsOf(otherParts(attachment)),
    imageAt(attachment['image_url']),
    imageAt(attachment['thumb_url']),
    joined([linkedText(attachment['footer']), timeOf(Number(attachment['ts']))], ' | '),
  ])
  const isIncomplete = content === '' || converter.isIncomplete
  const fallback = isIncomplete ? markdownOfSlack(textIn(attachment['fallback'])) : ''
  return {
    markdown: joined([content, fallback]),
    isIncomplete: isIncomplete && fallback === '',
  }
}

/** The parts that are not known. */
function otherParts(attachment: Fields): Fields {
  return Object.fromEntries(Object.entries(attachment).filter(([key]) => !knownParts.has(key)))
}

function markdownOfField({ title, value, ...others }: Fields): string {
  const [name, content] = [linkedText(title), markdownOfText(value ?? others['text'])]
  if (name === '' || content === '') return name || content
  return `**${name.replaceAll('\n', ' ')}**:${content.includes('\n') ? '\n' : ' '}${content}`
}

/** A title, which its address makes a link. */
function titled(url: unknown, title: unknown): string {
  return linkedText(title) === '' ? '' : linkTo(url, title)
}

function imageAt(url: unknown): string {
  return textIn(url) === '' ? '' : linkTo(url, 'image')
}
