import { inject } from 'tsyringe'

import { groupBy } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { parseJson, type OrganizationScope } from '../../../storage/index.js'
import { MessageAccess } from '../../channels/message-permissions/index.js'
import { ConversationRepository } from '../../messages/objects/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import {
  isActive,
  PushDeviceRepository,
  PushTokenRepository,
  type PushDeviceRow,
  type PushTokenRow,
} from '../push-devices/index.js'
import { mayPass, PushRelayError } from '../push-relay/index.js'
import { actorOf, UsersAndSystemBots, type UserRow } from '../../people/users/index.js'
import { EncryptedSender } from './encrypted-sender.js'
import { MessagePayloads, removalPayloads, type NotificationPayloads } from './message-payloads.js'
import type { QueuedNotification } from './queued-notification.js'
import {
  acceptedDeviceIds,
  NotificationClaims,
  type ClaimedNotification,
} from './notification-claims.js'
import {
  PushNotificationRepository,
  type NotifiableMessage,
} from './push-notification-repository.js'
import type { PushNotificationRow } from './push-notifications-table.js'
import { recipientOf } from './push-recipient.js'
import { PushRecipientRepository, type PushRecipientRange } from './push-recipient-repository.js'
import { pushTrigger } from './push-trigger.js'
import { TokenSender } from './token-sender.js'

/** A notification that is ready to be sent. */
export interface PreparedNotification extends ClaimedNotification {
  /**
   * Sends it to every device that does not have it yet, even if some of them fail.
   *
   * @returns whether this process held the lease until the end.
   * @throws {PushRelayError} if the relay fails.
   */
  send(): Promise<boolean>
}

/** The data for the notifications of one batch. */
interface Lookup {
  readonly messages: ReadonlyMap<number, NotifiableMessage>
  /** The messages that users may still see and be notified of, as `user/message`. */
  readonly wanted: ReadonlySet<string>
  /** The participants of each direct conversation. */
  readonly members: ReadonlyMap<number, readonly number[]>
  readonly users: ReadonlyMap<number, UserRow>
  /** The devices of all recipients. */
  readonly devices: readonly PushDeviceRow[]
  readonly tokens: readonly PushTokenRow[]
}

/** Prepares leased notifications, and sends them with the sender of their family of devices. */
@perServer()
export class PushSender {
  constructor(
    @inject(PushNotificationRepository) private readonly notifications: PushNotificationRepository,
    @inject(PushRecipientRepository) private readonly recipients: PushRecipientRepository,
    @inject(MessageAccess) private readonly messageAccess: MessageAccess,
    @inject(PushDeviceRepository) private readonly devices: PushDeviceRepository,
    @inject(PushTokenRepository) private readonly tokens: PushTokenRepository,
    @inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @inject(UsersAndSystemBots) private readonly users: UsersAndSystemBots,
    @inject(MessagePayloads) private readonly payloads: MessagePayloads,
    @inject(EncryptedSender) private readonly encryptedSender: EncryptedSender,
    @inject(TokenSender) private readonly tokenSender: TokenSender,
    @inject(NotificationClaims) private readonly claims: NotificationClaims,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
  ) {}

  /**
   * Prepares notifications that are still relevant. Skips messages that were read or deleted
   * meanwhile, that the user can no longer access, or would not be notified of any more.
   */
  async prepare(
    scope: OrganizationScope,
    rows: readonly PushNotificationRow[],
  ): Promise<readonly PreparedNotification[]> {
    if ((await this.organizations.require(scope.organizationId)).isDeactivated) return []
    const lookup = await this.#lookUp(scope, rows)
    const prepared: PreparedNotification[] = []
    for (const row of rows) {
      const queued = parseJson(row.notice)
      const composed =
        queued.type === 'remove'
          ? removalPayloads(queued.messageIds)
          : await this.#compose(scope, lookup, row, queued)
      if (composed === undefined || !lookup.users.get(row.user_id)?.is_active) continue
      const notification: PreparedNotification = {
        row,
        send: () => this.#send(scope, lookup, notification, composed),
      }
      prepared.push(notification)
    }
    return prepared
  }

  async #lookUp(scope: OrganizationScope, rows: readonly PushNotificationRow[]): Promise<Lookup> {
    const queued = rows.map((row) => parseJson(row.notice))
    const messageIds = queued.flatMap((one) => (one.type === 'message' ? [one.messageId] : []))
    const userIds = [...new Set(rows.map((row) => row.user_id))]
    const messages = await this.notifications.listMessages(scope, [...new Set(messageIds)])
    const direct = messages.filter(({ channel_id }) => channel_id === null)
    const members = await this.conversations.members(
      scope,
      direct.map((message) => message.recipient_id),
    )
    const senderIds = messages.map((message) => message.sender_id)
    const everyone = new Set([...userIds, ...senderIds, ...[...members.values()].flat()])
    const users = new Map(
      (await this.users.findMany(scope, [...everyone])).map((user) => [user.id, user]),
    )
    return {
      messages: new Map(messages.map((message) => [message.id, message])),
      wanted: await this.#listWanted(scope, users, { userIds, messageIds, wasPushed: true }),
      members,
      devices: await this.devices.listOf(scope, userIds),
      tokens: await this.tokens.listOf(scope, userIds),
      users,
    }
  }

  async #listWanted(
    scope: OrganizationScope,
    users: ReadonlyMap<number, UserRow>,
    range: PushRecipientRange,
  ): Promise<ReadonlySet<string>> {
    const rows = await this.recipients.list(scope, range)
    // A user who is active meanwhile without reading the message still gets the notification.
    const due = rows.filter((row) => pushTrigger(recipientOf(row, false)) !== undefined)
    // Participants and subscribers can access the messages that they have received.
    const others = due.filter((row) => row.channel_id !== null && row.is_muted === null)
    const hidden = new Set(others)
    for (const [userId, received] of groupBy(others, (row) => row.user_id)) {
      const user = users.get(userId)
      if (user === undefined) continue
      const ids = received.map((row) => row.message_id)
      const visible = await this.messageAccess.listVisible(scope, actorOf(user), ids)
      const visibleIds = new Set(visible.map(({ message }) => message.id))
      for (const row of received) if (visibleIds.has(row.message_id)) hidden.delete(row)
    }
    return new Set(
      due.filter((row) => !hidden.has(row)).map((row) => `${row.user_id}/${row.message_id}`),
    )
  }

  async #compose(
    scope: OrganizationScope,
    { messages, wanted, members, users }: Lookup,
    row: PushNotificationRow,
    queued: Extract<QueuedNotification, { type: 'message' }>,
  ): Promise<NotificationPayloads | undefined> {
    const message = messages.get(queued.messageId)
    const sender = users.get(message?.sender_id ?? 0)
    const receiver = users.get(row.user_id)
    if (message === undefined || sender === undefined || receiver === undefined) return undefined
    if (!wanted.has(`${row.user_id}/${message.id}`)) return undefined
    const participants =
      message.channel_id === null
        ? (members.get(message.recipient_id) ?? []).flatMap((id) => users.get(id) ?? [])
        : undefined
    const { trigger } = queued
    return this.payloads.compose(scope, { message, sender, receiver, participants, trigger })
  }

  async #send(
    { organizationId }: OrganizationScope,
    lookup: Lookup,
    notification: PreparedNotification,
    payloads: NotificationPayloads,
  ): Promise<boolean> {
    const { user_id, family } = notification.row
    if (family === 'legacy') {
      const tokens = lookup.tokens.filter((token) => token.user_id === user_id)
      if (tokens.length === 0) return true
      if (!(await this.claims.extend(notification))) return false
      // One request for all tokens: a relay may send to all devices of the user, even to those not
      // listed.
      await this.tokenSender.send(organizationId, user_id, tokens, payloads.tokens)
      return true
    }
    const accepted = new Set(acceptedDeviceIds(notification.row))
    const devices = lookup.devices
      .filter((device) => device.user_id === user_id && !accepted.has(device.id))
      .filter(isActive)
    let failure: PushRelayError | undefined
    for (const device of devices) {
      if (!(await this.claims.extend(notification))) return false
      try {
        await this.encryptedSender.send(organizationId, user_id, [device], payloads.encrypted)
        // Not stored for the last device, because the notification is then complete.
        const isLast = device === devices.at(-1) && failure === undefined
        if (!isLast && !(await this.claims.accept(notification, device.id))) return false
      } catch (error) {
        if (!(error instanceof PushRelayError)) throw error
        failure = retryableOf(failure, error)
      }
    }
    if (failure !== undefined) throw failure
    return true
  }
}

/** The failure that decides about a retry: one that may pass is preferred. */
function retryableOf(first: PushRelayError | undefined, second: PushRelayError): PushRelayError {
  return first === undefined || mayPass(second) ? second : first
}
