import { isWebAddress, markdownLink } from '../../../domain/messages/markdown-link.js'
import { isRecord } from '../../../kernel/objects.js'
import { textIn, type Fields } from './slack-fields.js'
import { linkLabel } from './slack-links.js'
import { markdownOfLinkedText, markdownOfPlainText, markdownOfSlack } from './slack-text.js'

/** A text object: mrkdwn, or plain text. Text that is no object is mrkdwn. */
export function markdownOfText(text: unknown): string {
  if (!isRecord(text)) return markdownOfSlack(textIn(text))
  return text['type'] === 'plain_text'
    ? markdownOfPlainText(textIn(text['text']), text['emoji'] !== false)
    : markdownOfSlack(textIn(text['text']))
}

/** A text that has links, but no formats. */
export function linkedText(text: unknown): string {
  return markdownOfLinkedText(plainTextIn(text))
}

/** A heading of one line. */
export function headed(markdown: string): string {
  if (markdown.trim() === '') return ''
  // Markdown drops number signs at the end.
  return `## ${markdown.trim().replaceAll('\n', ' ').replace(/#$/, '&#35;')}`
}

/** A text as a link; the text alone if the address is not one of the web. */
export function linkTo(url: unknown, text: unknown): string {
  const [target, label] = [textIn(url).trim(), plainTextIn(text)]
  if (isWebAddress(target)) return markdownLink(target, linkLabel(label))
  return label === '' ? markdownOfPlainText(target) : linkedText(label)
}

/** An image as a link: loading it would tell another server who has read the message. */
export function imageLink(image: Fields): string {
  const file = isRecord(image['slack_file']) ? image['slack_file'] : {}
  const label = plainTextIn(image['title']) || textIn(image['alt_text'])
  return linkTo(image['image_url'] ?? file['url'], label || 'image')
}

function plainTextIn(text: unknown): string {
  return textIn(isRecord(text) ? text['text'] : text)
}
