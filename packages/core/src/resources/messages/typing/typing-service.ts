import { inject } from 'tsyringe'

import { requireContentEditable } from '../../../domain/messages/content-editing.js'
import { interpretTopic, truncateTopic } from '../../../domain/messages/topics.js'
import { isGuest, type Actor } from '../../../domain/users/actor.js'
import { parseUserSettings } from '../../../domain/users/user-settings.js'
import { badRequest } from '../../../errors/index.js'
import { EventBusToken, type EventBus } from '../../../events/bus/bus.js'
import type { EventFactory } from '../../../events/event.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { ChannelAccess } from '../../channels/channels/index.js'
import {
  isHistoryProtected,
  MessageAccess,
  MessageReceiverRepository,
  PostingPermission,
  type VisibleMessage,
} from '../../channels/message-permissions/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import { apiEmail, UserDirectory, type UserRow } from '../../people/users/index.js'
import { DirectRecipients } from '../sending/index.js'
import { editTyping, messageTyping, type TypingOp } from './typing-events.js'
import { TypingRepository, type TypingWatcher } from './typing-repository.js'

/** In conversations with more users, no typing notifications are sent. */
const maxReceivers = 100

/** The conversation in which a user is typing, as in the request. */
export interface TypingPlace {
  readonly type: 'direct' | 'stream' | 'channel'
  readonly userIds: readonly number[] | undefined
  readonly channelId: number | undefined
  readonly topic: string | undefined
}

/** Sends typing notifications. They are ephemeral: nothing is stored. */
@perServer()
export class TypingService {
  constructor(
    @inject(TypingRepository) private readonly watchers: TypingRepository,
    @inject(MessageReceiverRepository) private readonly receivers: MessageReceiverRepository,
    @inject(DirectRecipients) private readonly direct: DirectRecipients,
    @inject(UserDirectory) private readonly directory: UserDirectory,
    @inject(UserAccess) private readonly userAccess: UserAccess,
    @inject(ChannelAccess) private readonly channelAccess: ChannelAccess,
    @inject(PostingPermission) private readonly posting: PostingPermission,
    @inject(MessageAccess) private readonly messageAccess: MessageAccess,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(Database) private readonly database: Database,
    @inject(EventBusToken) private readonly bus: EventBus,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * Notifies the users who would receive a message that `actor` started or stopped typing it.
   *
   * @throws {ChatError} `BAD_REQUEST` if the conversation is incomplete or the actor may not send
   *   messages to it, or has disabled typing notifications.
   */
  async announce(actor: Actor, op: TypingOp, place: TypingPlace): Promise<void> {
    if (place.type === 'direct') await this.#announceDirect(actor, op, place.userIds)
    else await this.#announceInChannel(actor, op, place.channelId, place.topic)
  }

  /**
   * Notifies the users who would receive an edit that `actor` started or stopped editing a message.
   *
   * @throws {ChatError} `BAD_REQUEST` if the actor may not edit the message, or has disabled typing
   *   notifications.
   */
  async announceEdit(actor: Actor, op: TypingOp, messageId: number): Promise<void> {
    const scope = this.database.read(actor.organizationId)
    const visible = await this.messageAccess.requireVisible(scope, actor, messageId)
    const { message } = visible
    if (visible.channel?.channel.is_archived) throw badRequest('MESSAGE_UNKNOWN')
    const { settings } = await this.organizations.require(actor.organizationId)
    requireContentEditable(settings, {
      isOwn: message.sender_id === actor.userId,
      ageSeconds: nowSeconds(this.clock) - message.sent_at_seconds,
      graceSeconds: 0,
    })
    const sender = await this.directory.require(scope, actor.userId)
    requireSending(sender, visible.channel === undefined ? 'direct' : 'channel')
    const { watchers, recipient } = await this.#editPlace(scope, visible)
    await this.#publish(scope, sender, watchers, editTyping[op], {
      sender_id: actor.userId,
      message_id: message.id,
      recipient,
    })
  }

  async #announceDirect(
    actor: Actor,
    op: TypingOp,
    userIds: readonly number[] | undefined,
  ): Promise<void> {
    if (userIds === undefined) throw badRequest('TYPING_RECIPIENTS_MISSING')
    if (userIds.length === 0) throw badRequest('TYPING_RECIPIENTS_EMPTY')
    const scope = this.database.read(actor.organizationId)
    const sender = await this.directory.require(scope, actor.userId)
    requireSending(sender, 'direct')
    const ids = [...new Set([...userIds, actor.userId])]
    const participants = await this.direct.resolve(scope, actor, { ids })
    await this.direct.requireAllowed(scope, actor, participants)
    const byId = new Map(participants.map((user) => [user.id, user]))
    const recipients = ids.map((id) => present(byId.get(id), 'each participant'))
    const excluded = await this.#withoutAccessAmong(scope, recipients)
    const watchers = recipients
      .filter(({ id }) => !excluded.has(id))
      .map(({ id, is_active, settings }) => ({ user_id: id, is_active, settings }))
    await this.#publish(scope, sender, watchers, messageTyping[op], {
      message_type: 'direct',
      sender: this.#person(sender),
      recipients: recipients.map((user) => this.#person(user)),
    })
  }

  /** The guests among the users who cannot access all of them; the event would name every user. */
  async #withoutAccessAmong(
    scope: OrganizationScope,
    users: readonly UserRow[],
  ): Promise<ReadonlySet<number>> {
    const accessibleIds = await this.userAccess.visibilityAmong(scope, users)
    if (accessibleIds === undefined) return new Set()
    const people = users.filter((user) => !user.is_bot)
    const guestIds = users.filter(isGuest).map(({ id }) => id)
    return new Set(
      guestIds.filter((guestId) =>
        people.some(({ id }) => id !== guestId && accessibleIds.get(guestId)?.has(id) !== true),
      ),
    )
  }

  async #announceInChannel(
    actor: Actor,
    op: TypingOp,
    channelId: number | undefined,
    topic: string | undefined,
  ): Promise<void> {
    if (channelId === undefined) throw badRequest('RECIPIENT_CHANNEL_ID_MISSING')
    if (topic === undefined) throw badRequest('TOPIC_MISSING')
    const scope = this.database.read(actor.organizationId)
    const sender = await this.directory.require(scope, actor.userId)
    requireSending(sender, 'channel')
    const found = await this.channelAccess.requireReadable(scope, actor, channelId)
    if (found.channel.is_archived) throw badRequest('CHANNEL_ID_INVALID')
    await this.posting.requireAllowed(scope, actor, found)
    const watchers = await this.#channelWatchers(scope, channelId)
    await this.#publish(scope, sender, watchers, messageTyping[op], {
      message_type: 'stream',
      sender: this.#person(sender),
      stream_id: channelId,
      // Normalized as in a message.
      topic: truncateTopic(interpretTopic(topic)),
    })
  }

  async #editPlace(
    scope: OrganizationScope,
    { message, channel: found }: VisibleMessage,
  ): Promise<{
    watchers: readonly TypingWatcher[]
    recipient: { type: 'direct'; user_ids: number[] } | ChannelRecipient
  }> {
    if (found === undefined) {
      const { recipient_id } = message
      const users = await this.watchers.listParticipants(scope, recipient_id, maxReceivers + 1)
      return {
        watchers: users.length > maxReceivers ? [] : users,
        recipient: { type: 'direct', user_ids: users.map(({ user_id }) => user_id) },
      }
    }
    const { id } = found.channel
    const needsUserMessage = isHistoryProtected(found.channel)
    return {
      watchers: await this.#channelWatchers(scope, id, needsUserMessage ? message.id : undefined),
      recipient: { type: 'channel', channel_id: id, topic: message.topic },
    }
  }

  /** Empty if the channel has too many subscribers. */
  async #channelWatchers(
    scope: OrganizationScope,
    channelId: number,
    receivedId?: number,
  ): Promise<readonly TypingWatcher[]> {
    const watchers = await this.watchers.listReceivers(scope, channelId, maxReceivers + 1)
    if (watchers.length > maxReceivers) return []
    if (receivedId === undefined) return watchers
    const received = new Set(await this.receivers.listIds(scope, { channelId, ids: [receivedId] }))
    return watchers.filter(({ user_id }) => received.has(user_id))
  }

  async #publish<Data>(
    scope: OrganizationScope,
    sender: UserRow,
    watchers: readonly TypingWatcher[],
    { definition }: EventFactory<Data>,
    data: Data,
  ): Promise<void> {
    const withoutAccess = new Set(await this.userAccess.guestsWithoutAccess(scope, sender))
    const userIds = watchers
      .filter(({ user_id, is_active }) => is_active && !withoutAccess.has(user_id))
      .filter(({ settings }) => parseUserSettings(settings).receives_typing_notifications)
      .map(({ user_id }) => user_id)
    if (userIds.length === 0) return
    const { organizationId } = scope
    this.bus.publishEphemeral({ organizationId, kind: definition.kind, userIds, data })
  }

  #person(user: UserRow): { user_id: number; email: string } {
    return { user_id: user.id, email: apiEmail(user, this.facts) }
  }
}

interface ChannelRecipient {
  readonly type: 'channel'
  readonly channel_id: number
  readonly topic: string
}

/** @throws {ChatError} `BAD_REQUEST` if the user has disabled typing notifications there. */
function requireSending(user: UserRow, place: 'direct' | 'channel'): void {
  const settings = parseUserSettings(user.settings)
  const isOn =
    place === 'direct'
      ? settings.send_private_typing_notifications
      : settings.send_stream_typing_notifications
  if (isOn) return
  throw badRequest(place === 'direct' ? 'TYPING_DIRECT_DISABLED' : 'TYPING_CHANNEL_DISABLED')
}
