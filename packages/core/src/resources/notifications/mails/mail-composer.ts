import { createHash } from 'node:crypto'

import { inject } from 'tsyringe'

import { messageUrl } from '../../../domain/messages/message-url.js'
import { emptyTopicDisplayName } from '../../../domain/messages/topics.js'
import { plainTextOf, shortened } from '../../../domain/texts/plain-text.js'
import { parseUserSettings, type UserSettings } from '../../../domain/users/user-settings.js'
import { groupBy } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import type { OrganizationScope } from '../../../storage/index.js'
import type { Mail } from '../../accounts/email-changes/index.js'
import { MessageAccess, type VisibleMessage } from '../../channels/message-permissions/index.js'
import { ConversationRepository } from '../../messages/objects/index.js'
import { OrganizationService, ReaderTexts } from '../../organization/organizations/index.js'
import { IncomingAddresses } from '../../people/mail-addresses/index.js'
import { actorOf, type UserRow } from '../../people/users/index.js'
import type { NotificationReason } from '../notified-recipients/index.js'
import type { MailLink } from './mail-links.js'
import { MailNotificationRepository } from './mail-notification-repository.js'
import type { MailNotificationRow } from './mail-notifications-table.js'
import { NotificationMailRulesToken, type NotificationMailRules } from './mail-options.js'
import { MailParts } from './mail-parts.js'
import { defaultTexts, type MissedConversation } from './mail-template.js'
import { remainingTrigger } from './mail-trigger.js'

/** Maximum number of messages that a mail quotes, and of characters of each. */
const maxQuoted = 20
const maxTextLength = 2000

/** A mail about one conversation, and the rows that it completes. */
export interface ComposedMail {
  readonly rows: readonly MailNotificationRow[]
  readonly mail: Mail
}

interface Missed {
  /** Why the recipient gets a mail now; the row has the reason of the time when it was stored. */
  readonly reason: NotificationReason
  readonly row: MailNotificationRow
  readonly visible: VisibleMessage
}

/** Writes the mails about missed messages, from the data that is stored when they are sent. */
@perServer()
export class MailComposer {
  constructor(
    @inject(MailParts) private readonly parts: MailParts,
    @inject(MessageAccess) private readonly messages: MessageAccess,
    @inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ReaderTexts) private readonly texts: ReaderTexts,
    @inject(MailNotificationRepository) private readonly notifications: MailNotificationRepository,
    @inject(IncomingAddresses) private readonly addresses: IncomingAddresses,
    @inject(NotificationMailRulesToken) private readonly rules: NotificationMailRules,
  ) {}

  /**
   * One mail for each conversation of the rows. Messages that were read, deleted or hidden from the
   * user meanwhile are left out, and those of which the user would not get mails any more.
   *
   * @param rows of one user.
   */
  async compose(
    scope: OrganizationScope,
    rows: readonly MailNotificationRow[],
  ): Promise<ComposedMail[]> {
    const receiver = await this.parts.findReceiver(scope, rows[0]?.user_id ?? 0)
    if (receiver === undefined) return []
    const settings = parseUserSettings(receiver.settings)
    const byMessage = new Map(rows.map((row) => [row.message_id, row]))
    const visible = await this.messages.listVisible(scope, actorOf(receiver), [...byMessage.keys()])
    const places = await this.notifications.listPlaces(scope, receiver.id, [...byMessage.keys()])
    const missed = visible.flatMap((one): Missed[] => {
      const [row, place] = [byMessage.get(one.message.id), places.get(one.message.id)]
      if (row === undefined || place === undefined) return []
      const isDirect = one.message.channel_id === null
      // A user who is active again without reading the message still gets the mail.
      const state = { flags: one.flags, settings, isDirect, isOnline: false, ...place }
      const reason = remainingTrigger(row.reason, state)
      return reason === undefined ? [] : [{ reason, row, visible: one }]
    })
    const mails: ComposedMail[] = []
    for (const group of groupBy(missed, ({ visible: { message } }) => keyOf(message)).values()) {
      mails.push(await this.#compose(scope, receiver, settings, group))
    }
    return mails
  }

  async #compose(
    scope: OrganizationScope,
    receiver: UserRow,
    settings: UserSettings,
    missed: readonly Missed[],
  ): Promise<ComposedMail> {
    const organization = await this.organizations.require(scope.organizationId)
    const { message, channel } = present(missed[0], 'a missed message').visible
    const writer = await this.texts.writerFor(scope, receiver)
    const participantIds =
      message.channel_id === null
        ? ((await this.conversations.members(scope, [message.recipient_id])).get(
            message.recipient_id,
          ) ?? [])
        : []
    const nameOf = await this.parts.namesFor(scope, receiver, [
      ...participantIds,
      ...missed.map(({ visible }) => visible.message.sender_id),
    ])
    const mayQuote = this.parts.mayQuote(settings, organization)
    const { chatUrl } = this.parts
    const place =
      channel === undefined
        ? { participantIds }
        : { channel: { id: channel.channel.id, name: channel.channel.name } }
    const link = linkOf(scope.organizationId, receiver.id, missed)
    const unsubscribeUrl = this.parts.unsubscribeUrl(link)
    const replyTo = await this.addresses.addressOf({
      kind: 'reply',
      organizationId: scope.organizationId,
      userId: receiver.id,
      messageId: message.id,
    })
    const conversation: MissedConversation = {
      organization: organization.name,
      showsOrganization: await this.#showsOrganization(settings),
      recipient: receiver.full_name,
      language: writer.locale,
      conversation:
        channel === undefined
          ? {
              kind: 'direct',
              participants: participantIds.filter((id) => id !== receiver.id).map(nameOf),
            }
          : {
              kind: 'channel',
              channel: channel.channel.name,
              topic: message.topic === '' ? emptyTopicDisplayName : message.topic,
            },
      kind: link.kind,
      messages: mayQuote
        ? missed.slice(-maxQuoted).map(({ visible: { message: one } }) => ({
            sender: nameOf(one.sender_id),
            sentAtSeconds: one.sent_at_seconds,
            text: shortened(plainTextOf(one.rendered_content), maxTextLength),
          }))
        : undefined,
      messageCount: missed.length,
      // The address of a message contains the names of its channel and topic.
      url: mayQuote
        ? chatUrl + messageUrl({ id: message.id, topic: message.topic, place })
        : chatUrl,
      acceptsReplies: replyTo !== '',
      unsubscribeUrl,
    }
    const texts = await (this.rules.template?.(conversation) ?? defaultTexts(conversation, writer))
    const { host } = this.parts
    const prefix = `parley.${scope.organizationId}.${receiver.id}`
    const ids = missed.map(({ row }) => row.message_id)
    const thread = `<${prefix}.${keyOf(message)}@${host}>`
    return {
      rows: missed.map(({ row }) => row),
      mail: {
        to: receiver.email,
        ...(replyTo !== '' && { replyTo }),
        ...texts,
        ...this.parts.envelope(texts.subject, unsubscribeUrl),
        // The same for another attempt with the same messages, so that mailboxes drop the copy.
        messageId: `<${prefix}.${ids[0]}-${ids.at(-1)}@${host}>`,
        inReplyTo: thread,
        references: thread,
      },
    }
  }

  /** By default, subjects name the organization if the server has several. */
  async #showsOrganization(settings: UserSettings): Promise<boolean> {
    const policy = settings.realm_name_in_email_notifications_policy
    if (policy !== 1) return policy === 2
    return (await this.organizations.findOnly()) === undefined
  }
}

/** Identifies the conversation of a message; of characters that a Message-ID may contain. */
function keyOf(message: VisibleMessage['message']): string {
  if (message.channel_id === null) return `d${message.recipient_id}`
  const topic = createHash('sha256').update(message.topic_key).digest('hex').slice(0, 24)
  return `c${message.channel_id}.${topic}`
}

/** The link that turns off the cause of the most important message of the mail. */
function linkOf(
  organizationId: number,
  userId: number,
  missed: readonly Missed[],
): MailLink & Pick<MissedConversation, 'kind'> {
  const reasons = new Set(missed.map(({ reason }) => reason))
  const own = { organizationId, userId, channelId: 0 }
  if ([...reasons].some((reason) => reason !== 'stream' && reason !== 'followed_topic')) {
    return { ...own, kind: 'mentions' }
  }
  if (reasons.has('followed_topic')) return { ...own, kind: 'followed_topic' }
  return { ...own, kind: 'channel', channelId: missed[0]?.visible.message.channel_id ?? 0 }
}
