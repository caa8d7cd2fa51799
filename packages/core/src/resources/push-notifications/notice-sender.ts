import { inject } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import type { OrganizationScope } from '../../storage/index.js'
import { ConversationRepository } from '../messages/index.js'
import { isActive, PushDeviceRepository, PushTokenRepository } from '../push-devices/index.js'
import { Correspondents } from '../system-bots/index.js'
import type { UserRow } from '../users/index.js'
import { EncryptedSender } from './encrypted-sender.js'
import { MessageNotices, removalNotice, type MessageNotice } from './message-notice.js'
import type { Notice } from './notice.js'
import {
  PushNotificationRepository,
  type NotifiableMessage,
  type PushNotificationRow,
} from './push-notification-repository.js'
import { TokenSender } from './token-sender.js'

/** A notification that only has to be sent. */
export interface PreparedNotification {
  readonly row: PushNotificationRow
  /** @throws {PushRelayError} if the relay fails. */
  send(): Promise<void>
}

/** What the notifications of one batch are about. */
interface Lookup {
  readonly messages: ReadonlyMap<number, NotifiableMessage>
  /** As `user/message`. */
  readonly unread: ReadonlySet<string>
  /** The participants of each direct conversation. */
  readonly members: ReadonlyMap<number, readonly number[]>
  readonly users: ReadonlyMap<number, UserRow>
}

/** Looks up what notifications are about, and hands them to the senders of each family. */
@perServer()
export class NoticeSender {
  constructor(
    @inject(PushNotificationRepository) private readonly waiting: PushNotificationRepository,
    @inject(PushDeviceRepository) private readonly devices: PushDeviceRepository,
    @inject(PushTokenRepository) private readonly tokens: PushTokenRepository,
    @inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @inject(Correspondents) private readonly users: Correspondents,
    @inject(MessageNotices) private readonly notices: MessageNotices,
    @inject(EncryptedSender) private readonly encryptedSender: EncryptedSender,
    @inject(TokenSender) private readonly tokenSender: TokenSender,
  ) {}

  /** Prepares those that still make sense: not those about messages that were read meanwhile. */
  async prepare(
    scope: OrganizationScope,
    rows: readonly PushNotificationRow[],
  ): Promise<readonly PreparedNotification[]> {
    const lookup = await this.#lookUp(scope, rows)
    const prepared: PreparedNotification[] = []
    for (const row of rows) {
      const notice = JSON.parse(row.notice) as Notice
      const composed =
        notice.type === 'remove'
          ? removalNotice(notice.messageIds)
          : await this.#compose(scope, lookup, row, notice)
      if (composed === undefined || !lookup.users.get(row.user_id)?.is_active) continue
      prepared.push({ row, send: () => this.#send(scope, row, composed) })
    }
    return prepared
  }

  async #lookUp(scope: OrganizationScope, rows: readonly PushNotificationRow[]): Promise<Lookup> {
    const notices = rows.map((row) => JSON.parse(row.notice) as Notice)
    const messageIds = notices.flatMap((notice) =>
      notice.type === 'message' ? [notice.messageId] : [],
    )
    const userIds = [...new Set(rows.map((row) => row.user_id))]
    const messages = await this.waiting.listMessages(scope, [...new Set(messageIds)])
    const direct = messages.filter(({ channel_id }) => channel_id === null)
    const members = await this.conversations.members(
      scope,
      direct.map((message) => message.recipient_id),
    )
    const senderIds = messages.map((message) => message.sender_id)
    const everyone = new Set([...userIds, ...senderIds, ...[...members.values()].flat()])
    return {
      messages: new Map(messages.map((message) => [message.id, message])),
      unread: await this.waiting.unread(scope, userIds, messageIds),
      members,
      users: new Map(
        (await this.users.findMany(scope, [...everyone])).map((user) => [user.id, user]),
      ),
    }
  }

  async #compose(
    scope: OrganizationScope,
    { messages, unread, members, users }: Lookup,
    row: PushNotificationRow,
    notice: Extract<Notice, { type: 'message' }>,
  ): Promise<MessageNotice | undefined> {
    const message = messages.get(notice.messageId)
    const sender = users.get(message?.sender_id ?? 0)
    const receiver = users.get(row.user_id)
    if (message === undefined || sender === undefined || receiver === undefined) return undefined
    if (!unread.has(`${row.user_id}/${message.id}`)) return undefined
    const participants =
      message.channel_id === null
        ? (members.get(message.recipient_id) ?? []).flatMap((id) => users.get(id) ?? [])
        : undefined
    return this.notices.compose(scope, { message, sender, receiver, participants, notice })
  }

  async #send(
    scope: OrganizationScope,
    { user_id, family }: PushNotificationRow,
    notice: MessageNotice,
  ): Promise<void> {
    const { organizationId } = scope
    if (family === 'legacy') {
      const tokens = await this.tokens.list(scope, user_id)
      await this.tokenSender.send(organizationId, user_id, tokens, notice.tokens)
      return
    }
    const devices = (await this.devices.list(scope, user_id)).filter(isActive)
    await this.encryptedSender.send(organizationId, user_id, devices, notice.encrypted)
  }
}
