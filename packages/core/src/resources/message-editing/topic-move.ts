import { inject } from 'tsyringe'

import { hasRole, isGuest, Role, type Actor } from '../../domain/actor.js'
import { unreceivedFlags } from '../../domain/message-flags.js'
import { resolvedTopicPrefix, topicKey, truncateTopic } from '../../domain/topics.js'
import { badRequest, ChatError } from '../../errors/index.js'
import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import { ChannelAccess, ChannelRepository, type ChannelForUser } from '../channels/index.js'
import type { MessageRow } from '../message-access/index.js'
import { PostingPermission } from '../messages/index.js'
import { OrganizationService } from '../organizations/index.js'
import { PermissionGroups } from '../user-groups/index.js'
import { UserRepository } from '../users/index.js'
import { editGraceSeconds } from './content-edit.js'
import { messagesDeleted } from './message-edit-events.js'
import { MessageEditRepository, type TopicSlice } from './message-edit-repository.js'

export type PropagateMode = 'change_one' | 'change_later' | 'change_all'

/** Where messages are to go. */
export interface TopicDestination {
  readonly source: ChannelForUser
  /** The channel to move to; the source's if only the topic changes. */
  readonly channel: ChannelForUser
  /** As it will be stored; the old one if only the channel changes. */
  readonly topic: string
  readonly topicChanged: boolean
  readonly mode: PropagateMode
}

/** Moves messages between topics and channels. */
@perServer()
export class TopicMove {
  constructor(
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(PostingPermission) private readonly posting: PostingPermission,
    @inject(PermissionGroups) private readonly groups: PermissionGroups,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(MessageEditRepository) private readonly edits: MessageEditRepository,
  ) {}

  /** @throws {ChatError} `BAD_REQUEST` if `actor` may not change the topic so. */
  async requireTopicAllowed(
    tx: Transaction,
    actor: Actor,
    message: MessageRow,
    to: TopicDestination,
    nowSeconds: number,
  ): Promise<void> {
    const channels = [to.source, to.channel]
    if (isResolveToggle(message.topic, to.topic)) {
      const may =
        (await this.groups.allows(actor, 'can_resolve_topics_group')) ||
        (await this.#anyAllows(actor, channels, 'can_resolve_topics_group'))
      if (!may) throw badRequest("You don't have permission to resolve topics in this channel.")
      return
    }
    const may =
      (await this.groups.allows(actor, 'can_move_messages_between_topics_group')) ||
      (await this.#administersAny(actor, channels)) ||
      (await this.#anyAllows(actor, channels, 'can_move_messages_within_channel_group'))
    if (!may) throw badRequest("You don't have permission to edit this message")
    const { settings } = await this.organizations.require(tx.organizationId)
    const limit = settings.move_messages_within_stream_limit_seconds
    if (isTooOld(actor, message, limit, nowSeconds)) {
      throw badRequest("The time limit for editing this message's topic has passed.")
    }
  }

  /** @throws {ChatError} `BAD_REQUEST` if `actor` may not move the message to that channel. */
  async requireChannelAllowed(
    tx: Transaction,
    actor: Actor,
    message: MessageRow,
    to: TopicDestination,
    nowSeconds: number,
  ): Promise<void> {
    const may =
      (await this.groups.allows(actor, 'can_move_messages_between_channels_group')) ||
      (await this.access.administers(actor, to.source)) ||
      (await this.access.allows(actor, to.source.channel, 'can_move_messages_out_of_channel_group'))
    if (!may) throw badRequest("You don't have permission to move this message")
    await this.posting.requireAllowed(tx, actor, to.channel)
    const { settings } = await this.organizations.require(tx.organizationId)
    const limit = settings.move_messages_between_streams_limit_seconds
    if (isTooOld(actor, message, limit, nowSeconds)) {
      throw badRequest("The time limit for editing this message's channel has passed")
    }
  }

  /**
   * The messages that go along, ascending.
   *
   * @throws {ChatError} `MOVE_MESSAGES_TIME_LIMIT_EXCEEDED` if some are too old for `actor`.
   */
  async messagesToMove(
    tx: Transaction,
    actor: Actor,
    message: MessageRow,
    to: TopicDestination,
    nowSeconds: number,
  ): Promise<number[]> {
    const crossesChannels = to.channel.channel.id !== to.source.channel.id
    const { channel } = to.source
    const isHistoryHidden = Boolean(channel.is_private) && !channel.is_history_shared
    const slice: TopicSlice = {
      channelId: channel.id,
      topicKey: message.topic_key,
      ...(to.mode === 'change_one' ? { onlyId: message.id } : {}),
      ...(to.mode === 'change_later' ? { fromId: message.id } : {}),
      // Between channels only what the mover can see goes along.
      ...(crossesChannels && isHistoryHidden ? { recordOwnerId: actor.userId } : {}),
    }
    if (to.mode === 'change_all') {
      await this.#requireWholeTopicAllowed(tx, actor, message, to, slice, nowSeconds)
    }
    return this.edits.listIds(tx, slice)
  }

  /** Moves the messages, and takes them from those who may not follow. */
  async apply(
    tx: Transaction,
    message: MessageRow,
    messageIds: readonly number[],
    to: TopicDestination,
    movedAtSeconds: number,
    historyItem: object,
  ): Promise<readonly number[]> {
    const crossesChannels = to.channel.channel.id !== to.source.channel.id
    const isToggle = !crossesChannels && isResolveToggle(message.topic, to.topic)
    await this.edits.move(
      tx,
      messageIds,
      {
        ...(to.topicChanged ? { topic: to.topic, topic_key: topicKey(to.topic) } : {}),
        ...(crossesChannels
          ? { channel_id: to.channel.channel.id, recipient_id: to.channel.channel.recipient_id }
          : {}),
        // Resolving a topic does not count as moving its messages.
        ...(isToggle ? {} : { last_moved_at_seconds: movedAtSeconds }),
      },
      historyItem,
    )
    if (!crossesChannels) return []
    const losers = await this.#changeRecords(tx, message, messageIds, to)
    for (const { channel } of [to.source, to.channel]) {
      await this.channels.update(tx, channel.id, {
        first_message_id: await this.edits.firstMessageId(tx, channel.id),
      })
    }
    return losers
  }

  /** @returns the users for whom the messages are gone. */
  async #changeRecords(
    tx: Transaction,
    message: MessageRow,
    messageIds: readonly number[],
    to: TopicDestination,
  ): Promise<readonly number[]> {
    const source = to.source.channel
    const target = to.channel.channel
    const receivers = new Set(await this.channels.listReceiverIds(tx, target.id))
    const owners = (await this.edits.listRecords(tx, message.id)).map((record) => record.user_id)
    const former = [
      ...new Set([...owners, ...(await this.channels.listReceiverIds(tx, source.id))]),
    ]
    const leaving = former.filter((userId) => !receivers.has(userId))
    await this.edits.deleteRecords(tx, messageIds, leaving)
    if (target.is_private && !target.is_history_shared) {
      await this.edits.insertReadRecords(tx, messageIds, target.id)
    }
    const losers = target.is_private
      ? leaving
      : target.is_web_public
        ? []
        : (await this.users.findMany(tx, leaving)).filter(isGuest).map((user) => user.id)
    if (losers.length > 0) {
      tx.emit(
        messagesDeleted(
          { userIds: losers },
          { messageIds, place: { channelId: source.id, topic: message.topic } },
        ),
      )
    }
    return losers
  }

  async #requireWholeTopicAllowed(
    tx: Transaction,
    actor: Actor,
    message: MessageRow,
    to: TopicDestination,
    slice: TopicSlice,
    nowSeconds: number,
  ): Promise<void> {
    const crossesChannels = to.channel.channel.id !== to.source.channel.id
    if (hasRole(actor, Role.moderator)) return
    if (!crossesChannels && isResolveToggle(message.topic, to.topic)) return
    const { settings } = await this.organizations.require(tx.organizationId)
    const limits = [
      ...(to.topicChanged ? [settings.move_messages_within_stream_limit_seconds] : []),
      ...(crossesChannels ? [settings.move_messages_between_streams_limit_seconds] : []),
    ].filter((limit) => limit !== null)
    if (limits.length === 0) return
    const since = nowSeconds - Math.min(...limits) - editGraceSeconds
    const { total, recent, firstRecentId } = await this.edits.countSince(tx, slice, since)
    if (recent === total) return
    throw new ChatError('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED', {
      fields: {
        first_message_id_allowed_to_move: firstRecentId ?? message.id,
        total_messages_in_topic: total,
        total_messages_allowed_to_move: recent,
      },
    })
  }

  async #anyAllows(
    actor: Actor,
    channels: readonly ChannelForUser[],
    permission: Parameters<ChannelAccess['allows']>[2],
  ): Promise<boolean> {
    for (const { channel } of channels) {
      if (await this.access.allows(actor, channel, permission)) return true
    }
    return false
  }

  async #administersAny(actor: Actor, channels: readonly ChannelForUser[]): Promise<boolean> {
    for (const found of channels) if (await this.access.administers(actor, found)) return true
    return false
  }
}

/** The flags of subscribers who may read a moved message but do not have it. */
export const followerFlags = unreceivedFlags

function isTooOld(
  actor: Actor,
  message: MessageRow,
  limitSeconds: number | null,
  nowSeconds: number,
): boolean {
  if (limitSeconds === null || hasRole(actor, Role.moderator)) return false
  return nowSeconds - message.sent_at_seconds > limitSeconds + editGraceSeconds
}

/** Whether a change of topic only marks it as resolved, or takes the mark back. */
export function isResolveToggle(from: string, to: string): boolean {
  if (to.startsWith(resolvedTopicPrefix) && !from.startsWith(resolvedTopicPrefix)) {
    return truncateTopic(resolvedTopicPrefix + from) === to
  }
  if (from.startsWith(resolvedTopicPrefix) && !to.startsWith(resolvedTopicPrefix)) {
    return from.replace(/^[✔ ]+/, '') === to
  }
  return false
}
