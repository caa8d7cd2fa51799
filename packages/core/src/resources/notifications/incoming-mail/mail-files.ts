import { extensionOf } from '../../../domain/files/content-types.js'
import { headerLength, maxHeaderBytes, readMail, type ReadAttachment } from './mail-reader.js'

const maxSubjectLength = 80
/** Types of parts that only have the text of a mail in another form. */
const textForms = new Set([
  'text/x-amp-html',
  'text/watch-html',
  'text/enriched',
  'text/richtext',
  'text/rtf',
  'application/rtf',
])

/** A file of a mail. */
export interface MailFile {
  readonly name: string
  readonly contentType: string
  readonly content: Buffer
}

/** @param rootType the `Content-Type` of the mail. */
export async function filesOf(
  attachments: readonly ReadAttachment[],
  rootType = '',
): Promise<MailFile[]> {
  const files: MailFile[] = []
  for (const attachment of attachments) {
    const { filename, contentType, content } = attachment
    if (isSameText(attachment, rootType) || isAttachedTwice(attachment, attachments)) continue
    files.push({ name: filename ?? (await nameOf(attachment)), contentType, content })
  }
  return files
}

async function nameOf({ contentType, content }: ReadAttachment): Promise<string> {
  const extension = extensionOf(contentType)
  if (extension === 'eml') return `${(await subjectOf(content)) || 'message'}.eml`
  const name = extension === 'ics' ? 'invite' : 'attachment'
  return extension === '' ? name : `${name}.${extension}`
}

/** The subject of an attached mail; empty if it has none. */
async function subjectOf(content: Buffer): Promise<string> {
  const head = content.subarray(0, headerLength(content, maxHeaderBytes))
  try {
    const { mail } = await readMail(head, { maxHeadSize: maxHeaderBytes })
    return (mail.subject ?? '').slice(0, maxSubjectLength)
  } catch {
    // An attachment may say that it is a mail, and not be one.
    return ''
  }
}

/** Whether a part is another form of the text. A calendar is not: programs read it. */
function isSameText(
  { contentType, filename, contentDisposition, partId }: ReadAttachment,
  rootType: string,
): boolean {
  if (filename !== undefined || contentDisposition === 'attachment') return false
  const isAlternative =
    /^multipart\/alternative\b/i.test(rootType) && /^\d{1,9}$/.test(partId ?? '')
  return isAlternative
    ? contentType.startsWith('text/') && contentType !== 'text/calendar'
    : textForms.has(contentType)
}

/** Calendars are often attached once without a name, for the mail program, and once with one. */
function isAttachedTwice(
  { filename, content }: ReadAttachment,
  attachments: readonly ReadAttachment[],
): boolean {
  return (
    filename === undefined &&
    attachments.some((other) => other.filename !== undefined && other.content.equals(content))
  )
}
