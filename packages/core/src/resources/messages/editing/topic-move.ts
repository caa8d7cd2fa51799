import { inject } from 'tsyringe'

import { editGraceSeconds } from '../../../domain/messages/content-editing.js'
import type { EditHistoryItem } from '../../../domain/messages/edit-history.js'
import { resolvedTopicPrefix, topicKey, truncateTopic } from '../../../domain/messages/topics.js'
import { hasRole, Role, type Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import {
  ChannelAccess,
  ChannelRepository,
  type ChannelForUser,
} from '../../channels/channels/index.js'
import {
  isHistoryProtected,
  PostingPermission,
  type MessageRow,
} from '../../channels/message-permissions/index.js'
import { MovedMessageRepository } from '../../channels/unwritten-messages/index.js'
import { PermissionGroups } from '../../groups/user-groups/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { MessageEditRepository } from './message-edit-repository.js'
import { TopicSliceRepository } from './topic-slice-repository.js'
import { visiblePart, type TopicSlice } from './topic-slice.js'

export type PropagateMode = 'change_one' | 'change_later' | 'change_all'

/** The destination of a move. */
export interface TopicDestination {
  readonly source: ChannelForUser
  /** The destination channel; the source if only the topic changes. */
  readonly channel: ChannelForUser
  /** The topic as it is stored; the former one if only the channel changes. */
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
    @inject(MessageEditRepository) private readonly edits: MessageEditRepository,
    @inject(TopicSliceRepository) private readonly slices: TopicSliceRepository,
    @inject(MovedMessageRepository) private readonly movedMessages: MovedMessageRepository,
  ) {}

  /** @throws {ChatError} `BAD_REQUEST` if `actor` may not change the topic in this way. */
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
      if (!may) throw badRequest('TOPIC_RESOLVING_NOT_ALLOWED')
      return
    }
    const may =
      (await this.groups.allows(actor, 'can_move_messages_between_topics_group')) ||
      (await this.#administersAny(actor, channels)) ||
      (await this.#anyAllows(actor, channels, 'can_move_messages_within_channel_group'))
    if (!may) throw badRequest('MESSAGE_EDITING_NOT_ALLOWED')
    const { settings } = await this.organizations.require(tx.organizationId)
    const limit = settings.move_messages_within_stream_limit_seconds
    if (isTooOld(actor, message, limit, nowSeconds)) {
      throw badRequest('MESSAGE_TOO_OLD_TO_CHANGE_TOPIC')
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
    if (!may) throw badRequest('MESSAGE_MOVE_NOT_ALLOWED')
    await this.posting.requireAllowed(tx, actor, to.channel)
    const { settings } = await this.organizations.require(tx.organizationId)
    const limit = settings.move_messages_between_streams_limit_seconds
    if (isTooOld(actor, message, limit, nowSeconds)) {
      throw badRequest('MESSAGE_TOO_OLD_TO_CHANGE_CHANNEL')
    }
  }

  /**
   * Returns the messages to move, ascending, and locks them until `tx` ends.
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
    const { channel } = to.source
    // Only messages that the mover can see, also if the topic is resolved.
    const slice = visiblePart(
      {
        channelId: channel.id,
        topicKey: message.topic_key,
        ...(to.mode === 'change_one' ? { onlyId: message.id } : {}),
        ...(to.mode === 'change_later' ? { fromId: message.id } : {}),
      },
      await this.access.viewer(actor),
      to.source,
    )
    if (to.mode === 'change_all') {
      await this.#requireWholeTopicAllowed(tx, actor, message, to, slice, nowSeconds)
    }
    return this.slices.lockIds(tx, slice)
  }

  /**
   * Moves the messages, but not their user messages.
   *
   * @param historyItem the item to add to each history; none if undefined.
   */
  async apply(
    tx: Transaction,
    message: MessageRow,
    messageIds: readonly number[],
    to: TopicDestination,
    movedAtSeconds: number,
    historyItem: EditHistoryItem | undefined,
  ): Promise<void> {
    if (messageIds.length === 0) return
    const isToggle = !crossesChannels(to) && isResolveToggle(message.topic, to.topic)
    if (crossesChannels(to)) {
      const [from, into] = [to.source.channel, to.channel.channel]
      const keepsUnwritten = !isHistoryProtected(into)
      await this.movedMessages.beforeMove(tx, messageIds, [from.id, into.id], keepsUnwritten)
    }
    await this.edits.move(
      tx,
      messageIds,
      to.topicChanged ? message.topic : undefined,
      {
        ...(to.topicChanged ? { topic: to.topic, topic_key: topicKey(to.topic) } : {}),
        ...(crossesChannels(to)
          ? {
              channel_id: to.channel.channel.id,
              recipient_id: to.channel.channel.recipient_id,
              changed_channel_at_seconds: movedAtSeconds,
            }
          : {}),
        // Resolving a topic does not count as moving its messages.
        ...(isToggle ? {} : { last_moved_at_seconds: movedAtSeconds }),
      },
      historyItem,
    )
    if (!crossesChannels(to)) return
    for (const { channel } of [to.source, to.channel]) {
      await this.channels.update(tx, channel.id, {
        first_message_id: await this.edits.firstMessageId(tx, channel.id),
      })
    }
  }

  async #requireWholeTopicAllowed(
    tx: Transaction,
    actor: Actor,
    message: MessageRow,
    to: TopicDestination,
    visible: TopicSlice,
    nowSeconds: number,
  ): Promise<void> {
    if (hasRole(actor, Role.moderator)) return
    if (!crossesChannels(to) && isResolveToggle(message.topic, to.topic)) return
    const { settings } = await this.organizations.require(tx.organizationId)
    const limits = [
      ...(to.topicChanged ? [settings.move_messages_within_stream_limit_seconds] : []),
      ...(crossesChannels(to) ? [settings.move_messages_between_streams_limit_seconds] : []),
    ].filter((limit) => limit !== null)
    if (limits.length === 0) return
    const since = nowSeconds - Math.min(...limits) - editGraceSeconds
    const { total, recent, firstRecentId } = await this.slices.countSince(tx, visible, since)
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

/** Whether a move changes the channel. */
export function crossesChannels(to: Pick<TopicDestination, 'source' | 'channel'>): boolean {
  return to.channel.channel.id !== to.source.channel.id
}

function isTooOld(
  actor: Actor,
  message: MessageRow,
  limitSeconds: number | null,
  nowSeconds: number,
): boolean {
  if (limitSeconds === null || hasRole(actor, Role.moderator)) return false
  return nowSeconds - message.sent_at_seconds > limitSeconds + editGraceSeconds
}

/** Whether a change of topic only adds or removes the mark of resolved topics. */
export function isResolveToggle(from: string, to: string): boolean {
  if (to.startsWith(resolvedTopicPrefix) && !from.startsWith(resolvedTopicPrefix)) {
    return truncateTopic(resolvedTopicPrefix + from) === to
  }
  if (from.startsWith(resolvedTopicPrefix) && !to.startsWith(resolvedTopicPrefix)) {
    // Some clients take away every mark at the beginning, others the one that resolving adds.
    return from.slice(resolvedTopicPrefix.length) === to || from.replace(/^[✔ ]+/, '') === to
  }
  return false
}
