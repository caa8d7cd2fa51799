import { namedText, type TextWriter } from '../../../texts/index.js'
import {
  endHtml,
  endText,
  link,
  mailDocument,
  paragraph,
  quoteHtml,
  quoteText,
  type Digest,
  type DigestTopic,
  type NotificationMailTexts,
} from '../mails/index.js'

/** The chat's own texts. */
export function defaultDigestTexts(digest: Digest, writer: TextWriter): NotificationMailTexts {
  const { write, locale } = writer
  const { organization, messageCount, topics = [], newChannels = [], url, unsubscribeUrl } = digest
  const count = write(namedText('MAIL_DIGEST_COUNT', { count: messageCount, organization }))
  const channels = write(namedText('MAIL_DIGEST_CHANNELS'))
  const reason = write(namedText('MAIL_REASON_DIGEST'))
  const written = topics.map((topic) => ({
    ...topic,
    place: `#${topic.channel} > ${topic.topic}`,
    writers: write(writersText(topic)),
  }))
  const hasMissed = messageCount > 0
  const text = [
    ...(hasMissed ? [count] : []),
    ...written.flatMap(({ place, writers, messages, url }) => [
      `${place}\n${writers}\n${url}`,
      ...messages.map((message) => quoteText(message, writer)),
    ]),
    ...(newChannels.length > 0
      ? [[channels, ...newChannels.map(({ name, url }) => `#${name}: ${url}`)].join('\n')]
      : []),
    write(namedText('MAIL_DIGEST_OPEN_AT', { url })),
    endText(reason, unsubscribeUrl, writer),
  ].join('\n\n')
  const html = mailDocument(locale, [
    ...(hasMissed ? [paragraph(count)] : []),
    ...written.flatMap(({ place, writers, messages, url }) => [
      `<h3>${link(url, place)}</h3>`,
      paragraph(writers),
      ...messages.map((message) => quoteHtml(message, writer)),
    ]),
    ...(newChannels.length > 0
      ? [
          paragraph(channels),
          `<ul>${newChannels.map(({ name, url }) => `<li>${link(url, `#${name}`)}</li>`).join('')}</ul>`,
        ]
      : []),
    `<p>${link(url, write(namedText('MAIL_DIGEST_OPEN')))}</p>`,
    endHtml(reason, unsubscribeUrl, writer),
  ])
  const subject = write(namedText('MAIL_DIGEST_SUBJECT', { organization }))
  return { subject, text: `${text}\n`, html }
}

function writersText({ messageCount, participants, participantCount }: DigestTopic) {
  const more = participantCount - participants.length
  const values = { count: messageCount, names: participants.join(', ') }
  return more > 0
    ? namedText('MAIL_DIGEST_WRITERS_MORE', { ...values, more })
    : namedText('MAIL_DIGEST_WRITERS', values)
}
