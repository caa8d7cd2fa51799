import { inject } from 'tsyringe'

import {
  editGraceSeconds,
  requireContentEditable,
} from '../../../domain/messages/content-editing.js'
import {
  interpretTopic,
  normalizeTopic,
  requireTopicAllowed,
} from '../../../domain/messages/topics.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import {
  ChannelAccess,
  ChannelRepository,
  type ChannelForUser,
} from '../../channels/channels/index.js'
import {
  MessageAccess,
  MessageReceiverRepository,
  type VisibleMessage,
  type MessageRow,
} from '../../channels/message-permissions/index.js'
import { TopicLinks } from '../../content/linkifiers/index.js'
import type { Attachment } from '../../files/attachments/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { ContentEdit, type ContentChange } from './content-edit.js'
import { EditAudience } from './edit-audience.js'
import { messagesUpdated, type MessageUpdate } from './message-edit-events.js'
import { type MessageEdit, requireResolvableName, moveHistory, flagGroups } from './message-edit.js'
import { MoveNotificationMessages } from './move-notification-messages.js'
import { MovedPolicies } from './moved-policies.js'
import { MovedUserMessages, type MoveAudience } from './moved-user-messages.js'
import { crossesChannels, TopicMove, type TopicDestination } from './topic-move.js'

/** Edits messages and moves them. */
@perServer()
export class MessageEditService {
  constructor(
    @inject(MessageAccess) private readonly access: MessageAccess,
    @inject(ChannelAccess) private readonly channelAccess: ChannelAccess,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ContentEdit) private readonly content: ContentEdit,
    @inject(TopicMove) private readonly moves: TopicMove,
    @inject(EditAudience) private readonly audiences: EditAudience,
    @inject(MovedUserMessages) private readonly movedUserMessages: MovedUserMessages,
    @inject(MovedPolicies) private readonly policies: MovedPolicies,
    @inject(MoveNotificationMessages)
    private readonly notificationMessages: MoveNotificationMessages,
    @inject(MessageReceiverRepository) private readonly receivers: MessageReceiverRepository,
    @inject(TopicLinks) private readonly topicLinks: TopicLinks,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * Edits the content of a message, or moves it and others of its topic, and sends the events.
   *
   * @returns the sender's attachments that no message links to any longer.
   * @throws {ChatError} `BAD_REQUEST` if the change is invalid, or `actor` may not make it.
   * @throws {ChatError} `EXPECTATION_MISMATCH` if the content has changed in the meantime.
   * @throws {ChatError} `MOVE_MESSAGES_TIME_LIMIT_EXCEEDED` if some are too old to be moved.
   */
  async edit(
    actor: Actor,
    messageId: number,
    request: MessageEdit,
  ): Promise<readonly Attachment[]> {
    return this.unitOfWork.runFor(actor, async (tx) => {
      const visible = await this.access.requireChangeable(tx, actor, messageId)
      const now = nowSeconds(this.clock)
      const edit = await this.#checked(tx, actor, visible, request, now)
      const to = await this.#destination(tx, actor, visible, edit)
      if (to !== undefined) await this.#requireMoveAllowed(tx, actor, visible, to, now)
      if (to !== undefined && edit.content !== undefined) {
        // Its errors take precedence over those of the ages of the topic's other messages.
        await this.content.requireMentions(tx, actor, visible.message, edit.content, to.topic)
      }
      return this.#apply(tx, actor, visible, edit, to, now)
    })
  }

  /** Checks, in order, conditions about the message alone. @returns the normalized edit. */
  async #checked(
    tx: Transaction,
    actor: Actor,
    visible: VisibleMessage,
    request: MessageEdit,
    now: number,
  ): Promise<MessageEdit> {
    const { message } = visible
    const { settings } = await this.organizations.require(tx.organizationId)
    if (request.content !== undefined) {
      requireContentEditable(settings, {
        isOwn: message.sender_id === actor.userId,
        ageSeconds: now - message.sent_at_seconds,
        graceSeconds: editGraceSeconds,
      })
    }
    const topic = request.topic === undefined ? undefined : interpretTopic(request.topic)
    let edit = { ...request, topic: topic === message.topic ? undefined : topic }
    const moves = edit.topic !== undefined || edit.channelId !== undefined
    if (!moves && edit.content === undefined) throw badRequest('NOTHING_TO_CHANGE')
    if (message.channel_id === null) {
      if (edit.channelId !== undefined) {
        throw badRequest('DIRECT_MESSAGE_NOT_MOVED')
      }
      if (edit.topic !== undefined) throw badRequest('DIRECT_MESSAGE_WITHOUT_TOPIC')
    }
    if (edit.mode !== 'change_one' && !moves) {
      throw badRequest('PROPAGATE_MODE_WITHOUT_TOPIC')
    }
    if (edit.topic !== undefined) {
      requireResolvableName(edit.topic)
      edit = { ...edit, topic: normalizeTopic(edit.topic) }
    }
    if (edit.channelId !== undefined && edit.content !== undefined) {
      throw badRequest('CONTENT_AND_CHANNEL_CHANGED')
    }
    if (edit.content === undefined) return edit
    await this.content.requireNoWidget(tx, message)
    if (edit.expectedSha256 !== undefined) {
      this.content.requireUnchanged(message, edit.expectedSha256)
    }
    return { ...edit, content: this.content.normalize(edit.content) }
  }

  /** The destination of a move; undefined if the message is not moved. */
  async #destination(
    tx: Transaction,
    actor: Actor,
    { message, channel: source }: VisibleMessage,
    edit: MessageEdit,
  ): Promise<TopicDestination | undefined> {
    if (source === undefined) return undefined
    if (edit.topic === undefined && edit.channelId === undefined) return undefined
    const channel =
      edit.channelId === undefined ? source : await this.#target(tx, actor, edit.channelId)
    const topic = edit.topic ?? message.topic
    const { settings } = await this.organizations.require(tx.organizationId)
    requireTopicAllowed(topic, channel.channel.topics_policy, settings.topics_policy)
    return { source, channel, topic, topicChanged: topic !== message.topic, mode: edit.mode }
  }

  async #target(tx: Transaction, actor: Actor, channelId: number): Promise<ChannelForUser> {
    const found = await this.channels.findForUser(tx, { id: channelId }, actor.userId)
    const isUsable =
      found !== undefined &&
      !found.channel.is_archived &&
      (await this.channelAccess.hasContentAccess(actor, found))
    if (!isUsable) throw badRequest('CHANNEL_ID_INVALID')
    return found
  }

  async #requireMoveAllowed(
    tx: Transaction,
    actor: Actor,
    { message }: VisibleMessage,
    to: TopicDestination,
    now: number,
  ): Promise<void> {
    if (to.topicChanged) await this.moves.requireTopicAllowed(tx, actor, message, to, now)
    if (crossesChannels(to)) {
      await this.moves.requireChannelAllowed(tx, actor, message, to, now)
    }
  }

  async #apply(
    tx: Transaction,
    actor: Actor,
    visible: VisibleMessage,
    edit: MessageEdit,
    to: TopicDestination | undefined,
    now: number,
  ): Promise<readonly Attachment[]> {
    const { message } = visible
    const messageIds =
      to === undefined ? [message.id] : await this.moves.messagesToMove(tx, actor, message, to, now)
    let moveAudience: MoveAudience | undefined
    if (to !== undefined) {
      const arrival = await this.policies.arrival(tx, to)
      // The item of the edited message also has its previous content and is written with the edit.
      const others =
        edit.content === undefined ? messageIds : messageIds.filter((id) => id !== message.id)
      const item = { user_id: actor.userId, timestamp: now, ...moveHistory(message.topic, to) }
      const received = await this.movedUserMessages.receivers(tx, messageIds, to)
      await this.moves.apply(tx, message, others, to, now, item)
      if (others.length < messageIds.length) {
        await this.moves.apply(tx, message, [message.id], to, now, undefined)
      }
      moveAudience = await this.movedUserMessages.follow(tx, message, messageIds, to, received)
      await this.policies.follow(tx, actor, message, to, arrival, moveAudience)
    }
    const change =
      edit.content === undefined
        ? undefined
        : await this.#editContent(tx, actor, message, edit.content, to, now)
    await this.#announce(tx, actor, visible, messageIds, { to, change, moveAudience, now })
    if (to !== undefined) {
      await this.notificationMessages.post(tx, actor, message, messageIds, to, {
        ...edit,
        changesContent: edit.content !== undefined,
      })
    }
    return change?.detachedUploads ?? []
  }

  /** Stores the content; an edit with a move adds one item to the history. */
  async #editContent(
    tx: Transaction,
    actor: Actor,
    { id, topic }: MessageRow,
    content: string,
    to: TopicDestination | undefined,
    now: number,
  ): Promise<ContentChange> {
    const { message } = await this.access.requireChangeable(tx, actor, id)
    const move = to === undefined ? {} : moveHistory(topic, to)
    return this.content.apply(tx, actor, message, content, message.topic, now, (history) => ({
      user_id: actor.userId,
      timestamp: now,
      ...move,
      ...history,
    }))
  }

  async #announce(
    tx: Transaction,
    actor: Actor,
    visible: VisibleMessage,
    messageIds: readonly number[],
    done: {
      readonly to: TopicDestination | undefined
      readonly change: ContentChange | undefined
      readonly moveAudience: MoveAudience | undefined
      readonly now: number
    },
  ): Promise<void> {
    const { message, channel } = visible
    const { to, change, moveAudience } = done
    const update: MessageUpdate = {
      user_id: actor.userId,
      edit_timestamp: done.now,
      message_id: message.id,
      message_ids: messageIds,
      rendering_only: false,
      ...(channel === undefined
        ? {}
        : { stream_id: channel.channel.id, stream_name: channel.channel.name }),
      ...(to === undefined ? {} : await this.#moveKeys(tx, message.topic, to)),
      ...change?.update,
    }
    const userMessages = await this.receivers.list(tx, {
      channelId: to?.channel.channel.id ?? message.channel_id,
      ids: [message.id],
    })
    const audience =
      moveAudience === undefined
        ? await this.audiences.of(tx, visible)
        : { userIds: moveAudience.userIds }
    tx.emit(messagesUpdated(audience, update, flagGroups(userMessages)))
  }

  async #moveKeys(
    tx: Transaction,
    from: string,
    to: TopicDestination,
  ): Promise<Partial<MessageUpdate>> {
    const links = await this.topicLinks.of(tx.organizationId, [to.topic])
    return {
      propagate_mode: to.mode,
      orig_subject: from,
      ...(to.topicChanged ? { subject: to.topic, topic_links: links.get(to.topic) ?? [] } : {}),
      ...(crossesChannels(to) ? { new_stream_id: to.channel.channel.id } : {}),
    }
  }
}
