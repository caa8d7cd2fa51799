import { inject } from 'tsyringe'

import { emptyTopicDisplayName } from '../../../domain/messages/topics.js'
import { plainTextOf, shortened } from '../../../domain/texts/plain-text.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { namedText, type TextWriter } from '../../../texts/index.js'
import { OrganizationService, ReaderTexts } from '../../organization/organizations/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import {
  actorOf,
  apiEmail,
  shownAvatarUrl,
  standInEmail,
  unknownUser,
  type UserRow,
} from '../../people/users/index.js'
import type { NotificationReason } from '../notified-recipients/index.js'
import type { EncryptedPayload } from './encrypted-sender.js'
import { MentioningGroups, type MentioningGroup } from './mentioning-groups.js'
import type { NotifiableMessage } from './push-notification-repository.js'
import type { TokenPayloads } from './token-sender.js'

const maxContentLength = 200

/** A message and the recipients of its notification. */
export interface NotifiedMessage {
  readonly message: NotifiableMessage
  readonly sender: UserRow
  readonly receiver: UserRow
  /** All participants of a direct conversation, ascending by id; undefined in a channel. */
  readonly participants: readonly UserRow[] | undefined
  readonly trigger: NotificationReason
}

/** A notification of a message, for encrypted devices and for tokens. */
export interface NotificationPayloads {
  readonly encrypted: EncryptedPayload
  readonly tokens: TokenPayloads
}

/** Builds the texts of message notifications. */
@perServer()
export class MessagePayloads {
  /** The plain text of each message, converted once per batch. */
  readonly #contents = new WeakMap<NotifiableMessage, string>()

  constructor(
    @inject(UserAccess) private readonly access: UserAccess,
    @inject(MentioningGroups) private readonly groups: MentioningGroups,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ReaderTexts) private readonly texts: ReaderTexts,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  async compose(scope: OrganizationScope, news: NotifiedMessage): Promise<NotificationPayloads> {
    const { message } = news
    const sender = await this.#visibleSender(scope, news)
    const { settings } = await this.organizations.require(scope.organizationId)
    const content = this.#contentOf(message)
    const { write } = await this.texts.writerFor(scope, news.receiver)
    const readable = settings.require_e2ee_push_notifications
      ? write(namedText('PUSH_CONTENT_HIDDEN'))
      : content
    const group = await this.groups.of(news)
    const common = {
      sender_id: sender.id,
      time: message.sent_at_seconds,
      ...(group === undefined
        ? {}
        : { mentioned_user_group_id: group.id, mentioned_user_group_name: group.name }),
    }
    const avatar = (realmUrl: string) => new URL(sender.avatarUrl, realmUrl).href
    const legacy = { ...common, event: 'message', sender_email: sender.email, ...legacyPlace(news) }
    const alert = {
      title: titleOf(news, sender.name),
      subtitle: subtitleOf(news, sender.name, group, write),
      body: readable,
    }
    return {
      encrypted: {
        type: 'message',
        fields: (realmUrl) => ({
          ...common,
          sender_full_name: sender.name,
          sender_avatar_url: avatar(realmUrl),
          ...placeOf(news),
          message_id: message.id,
          content,
        }),
      },
      tokens: {
        priority: 'high',
        applePayload: (base) => ({
          alert,
          sound: 'default',
          badge: 0,
          custom: { zulip: { ...base, ...legacy, message_ids: [message.id] } },
        }),
        androidPayload: (base, realmUrl) => ({
          ...base,
          ...legacy,
          zulip_message_id: message.id,
          content: readable,
          content_truncated: !settings.require_e2ee_push_notifications && content.endsWith('…'),
          sender_full_name: sender.name,
          sender_avatar_url: avatar(realmUrl),
        }),
      },
    }
  }

  #contentOf(message: NotifiableMessage): string {
    const known = this.#contents.get(message)
    if (known !== undefined) return known
    const content = shortened(plainTextOf(message.rendered_content), maxContentLength)
    this.#contents.set(message, content)
    return content
  }

  /** The sender as the recipient may see them. */
  async #visibleSender(scope: OrganizationScope, { sender, receiver }: NotifiedMessage) {
    if (await this.access.allows(scope, actorOf(receiver), sender)) {
      return {
        id: sender.id,
        name: sender.full_name,
        email: apiEmail(sender, this.facts),
        avatarUrl: shownAvatarUrl(sender, this.facts),
      }
    }
    const { full_name, avatar_url } = unknownUser(sender.id, this.facts)
    return {
      id: sender.id,
      name: full_name,
      email: standInEmail(sender.id, this.facts),
      avatarUrl: avatar_url ?? '',
    }
  }
}

/** A notification that removes others, for encrypted devices and for tokens. */
export function removalPayloads(messageIds: readonly number[]): NotificationPayloads {
  const legacy = {
    event: 'remove',
    zulip_message_ids: messageIds.join(','),
    // For clients that only support one message.
    zulip_message_id: messageIds[0],
  }
  return {
    encrypted: { type: 'remove', fields: () => ({ message_ids: messageIds }) },
    tokens: {
      priority: 'normal',
      applePayload: (base) => ({
        badge: 0,
        custom: {
          zulip: { ...base, event: 'remove', zulip_message_ids: legacy.zulip_message_ids },
        },
      }),
      androidPayload: (base) => ({ ...base, ...legacy }),
    },
  }
}

function placeOf({ message, participants }: NotifiedMessage): object {
  if (participants === undefined) {
    return {
      recipient_type: 'channel',
      channel_id: message.channel_id,
      channel_name: message.channel_name,
      topic: shownTopic(message),
    }
  }
  return { recipient_type: 'direct', ...groupOf(participants) }
}

function legacyPlace({ message, participants }: NotifiedMessage): object {
  if (participants === undefined) {
    return {
      recipient_type: 'stream',
      stream: message.channel_name,
      stream_id: message.channel_id,
      topic: shownTopic(message),
    }
  }
  return { recipient_type: 'private', ...groupOf(participants) }
}

/** The participants of a direct conversation of three or more. */
function groupOf(participants: readonly UserRow[]): object {
  if (participants.length < 3) return {}
  return { pm_users: participants.map(({ id }) => id).join(',') }
}

function shownTopic({ topic }: NotifiableMessage): string {
  return topic === '' ? emptyTopicDisplayName : topic
}

function titleOf({ message, participants }: NotifiedMessage, senderName: string): string {
  if (participants === undefined) return `#${message.channel_name} > ${shownTopic(message)}`
  if (participants.length < 3) return senderName
  return participants
    .map((user) => user.full_name)
    .sort()
    .join(', ')
}

const everyoneTriggers: readonly NotificationReason[] = [
  'topic_wildcard_mentioned',
  'stream_wildcard_mentioned',
]

function subtitleOf(
  { trigger, participants }: NotifiedMessage,
  sender: string,
  group: MentioningGroup | undefined,
  write: TextWriter['write'],
): string {
  if (group !== undefined) {
    return write(namedText('PUSH_MENTIONED_GROUP', { sender, group: group.name }))
  }
  if (trigger === 'mentioned') return write(namedText('PUSH_MENTIONED_YOU', { sender }))
  if (everyoneTriggers.includes(trigger)) {
    return write(namedText('PUSH_MENTIONED_EVERYONE', { sender }))
  }
  if (participants !== undefined && participants.length < 3) return ''
  return write(namedText('PUSH_FROM', { sender }))
}
