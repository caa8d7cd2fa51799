import { inject } from 'tsyringe'

import { channelUrl, messageUrl } from '../../../domain/messages/message-url.js'
import { emptyTopicDisplayName } from '../../../domain/messages/topics.js'
import { plainTextOf, shortened } from '../../../domain/texts/plain-text.js'
import { isGuest } from '../../../domain/users/actor.js'
import { parseUserSettings } from '../../../domain/users/user-settings.js'
import { type Clock, nowSeconds } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { namedText, type TextWriter } from '../../../texts/index.js'
import type { Mail } from '../../accounts/email-changes/index.js'
import { MessageAccess, type VisibleMessage } from '../../channels/message-permissions/index.js'
import { OrganizationService, ReaderTexts } from '../../organization/organizations/index.js'
import { actorOf, type UserRow } from '../../people/users/index.js'
import {
  type Digest,
  type DigestTopic,
  endHtml,
  endText,
  link,
  mailDocument,
  MailParts,
  type NotificationMailRules,
  NotificationMailRulesToken,
  type NotificationMailTexts,
  paragraph,
  quoteHtml,
  quoteText,
} from '../mails/index.js'
import { DigestRepository } from './digest-repository.js'
import { awaySeconds, weekdayOf } from './digest-schedule.js'
import type { DigestRow } from './digests-table.js'
import { type MissedTopic, missedTopics } from './missed-topics.js'

/** The chat's own texts. */
function defaultDigestTexts(digest: Digest, writer: TextWriter): NotificationMailTexts {
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

const periodSeconds = 7 * 86_400
/** Maximum number of unread messages that are looked at. */
const maxMissed = 2000
const maxTopics = 4
const maxQuotedPerTopic = 3
const maxTextLength = 500
const maxParticipants = 5
const maxNewChannels = 10

/** Writes digests from the data that is stored when they are sent. */
@perServer()
export class DigestComposer {
  constructor(
    @inject(DigestRepository) private readonly digests: DigestRepository,
    @inject(MailParts) private readonly parts: MailParts,
    @inject(MessageAccess) private readonly messages: MessageAccess,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ReaderTexts) private readonly texts: ReaderTexts,
    @inject(NotificationMailRulesToken) private readonly rules: NotificationMailRules,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** @returns undefined if the user has missed nothing, or gets no digests now. */
  async compose(scope: OrganizationScope, row: DigestRow): Promise<Mail | undefined> {
    const organization = await this.organizations.require(scope.organizationId)
    const { digest_emails_enabled, digest_weekday } = organization.settings
    const now = nowSeconds(this.clock)
    // Also in the last time zone, the day is over then: no process has run on it.
    const isLate = now >= (row.day + 2) * 86_400
    if (!digest_emails_enabled || digest_weekday !== weekdayOf(row.day) || isLate) return undefined
    const receiver = await this.parts.findReceiver(scope, row.user_id)
    if (receiver === undefined) return undefined
    const settings = parseUserSettings(receiver.settings)
    const lastActive = await this.digests.lastActiveSeconds(scope, receiver.id)
    if (!settings.enable_digest_emails || (lastActive ?? 0) >= now - awaySeconds) return undefined

    const joined = Math.floor(receiver.joined_at_milliseconds / 1000)
    const since = Math.max(now - periodSeconds, lastActive ?? joined)
    const mayQuote = this.parts.mayQuote(settings, organization)
    const rows = await this.digests.listMissed(scope, receiver.id, since, maxMissed)
    const topics = missedTopics(rows, maxQuotedPerTopic).slice(0, maxTopics)
    // Without names, nothing could be said about them.
    const showsChannels = mayQuote && !isGuest(receiver)
    const channels = !showsChannels
      ? []
      : await this.digests.listNewChannels(scope, receiver.id, since, maxNewChannels)
    if (topics.length === 0 && channels.length === 0) return undefined

    const { chatUrl, host } = this.parts
    const writer = await this.texts.writerFor(scope, receiver)
    const unsubscribeUrl = this.parts.unsubscribeUrl({
      organizationId: scope.organizationId,
      userId: receiver.id,
      kind: 'digest',
      channelId: 0,
    })
    const digest: Digest = {
      organization: organization.name,
      recipient: receiver.full_name,
      language: writer.locale,
      messageCount: rows.length,
      topics: mayQuote ? await this.#topics(scope, receiver, topics) : undefined,
      newChannels: mayQuote
        ? channels.map((channel) => ({
            name: channel.name,
            url: chatUrl + channelUrl(channel),
          }))
        : undefined,
      url: chatUrl,
      unsubscribeUrl,
    }
    const texts = await (this.rules.digestTemplate?.(digest) ?? defaultDigestTexts(digest, writer))
    return {
      to: receiver.email,
      ...texts,
      ...this.parts.envelope(texts.subject, unsubscribeUrl),
      // The same for another attempt, so that mailboxes drop the copy.
      messageId: `<parley.${scope.organizationId}.${receiver.id}.digest-${row.day}@${host}>`,
    }
  }

  /** Those of the topics whose first messages the receiver may read. */
  async #topics(
    scope: OrganizationScope,
    receiver: UserRow,
    topics: readonly MissedTopic[],
  ): Promise<DigestTopic[]> {
    const ids = topics.flatMap(({ firstMessageIds }) => firstMessageIds)
    const visible = new Map(
      (await this.messages.listVisible(scope, actorOf(receiver), ids)).map((one) => [
        one.message.id,
        one,
      ]),
    )
    const nameOf = await this.parts.namesFor(
      scope,
      receiver,
      topics.flatMap(({ senderIds, firstMessageIds }) => [
        ...senderIds.slice(0, maxParticipants),
        ...firstMessageIds.flatMap((id) => visible.get(id)?.message.sender_id ?? []),
      ]),
    )
    return topics.flatMap(({ firstMessageIds, messageCount, senderIds }): DigestTopic[] => {
      const quoted = firstMessageIds.flatMap((id): VisibleMessage[] => {
        const one = visible.get(id)
        return one === undefined ? [] : [one]
      })
      const [first] = quoted
      if (first?.channel === undefined) return []
      const { id, topic } = first.message
      const { channel } = first.channel
      return [
        {
          channel: channel.name,
          topic: topic === '' ? emptyTopicDisplayName : topic,
          url: this.parts.chatUrl + messageUrl({ id, topic, place: { channel } }),
          messageCount,
          participants: senderIds.slice(0, maxParticipants).map(nameOf),
          participantCount: senderIds.length,
          messages: quoted.map(({ message }) => ({
            sender: nameOf(message.sender_id),
            sentAtSeconds: message.sent_at_seconds,
            text: shortened(plainTextOf(message.rendered_content), maxTextLength),
          })),
        },
      ]
    })
  }
}
