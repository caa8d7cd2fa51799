import { inject, injectAll } from 'tsyringe'

import { isMeMessage } from '../../../domain/messages/message-content.js'
import { flagNames } from '../../../domain/messages/message-flags.js'
import { emptyTopicDisplayName } from '../../../domain/messages/topics.js'
import type { OrganizationState } from '../../../domain/organizations/organization-state.js'
import type { Actor } from '../../../domain/users/actor.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import type { OrganizationScope } from '../../../storage/index.js'
import {
  ChannelRepository,
  channelsCreated,
  channelsDeleted,
  channelUpdated,
} from '../../channels/channels/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'
import { TopicLinks } from '../../content/linkifiers/index.js'
import {
  OrganizationService,
  SharedValues,
  type SharedRows,
} from '../../organization/organizations/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import {
  UsersAndSystemBots,
  apiEmail,
  asSeenBy,
  avatarUrl,
  unknownUser,
  type ViewableUser,
} from '../../people/users/index.js'
import { ConversationRepository } from './conversation-repository.js'
import { displayRecipient } from './display-recipient.js'
import { visibleEditHistory } from './edit-history-view.js'
import { MessageDecorationToken, type MessageDecoration } from './message-decoration.js'
import type { MessageObject, MessageParts } from './message-schemas.js'

/** A message and its flags for the viewer. */
export interface FoundMessage {
  readonly message: MessageRow
  /** Mask of `MessageFlag`. */
  readonly flags: number
}

/** The format in which a client requests messages. */
export interface MessageFormat {
  /** Whether `content` is HTML; Markdown source otherwise. */
  readonly applyMarkdown: boolean
  /** Whether the client computes the gravatars of users whose address is visible to everyone. */
  readonly clientGravatar: boolean
  /** Whether the client supports empty topics. */
  readonly allowsEmptyTopics: boolean
}

/** The data besides the messages themselves that message objects include. */
interface MessageContext {
  readonly organization: OrganizationState
  readonly users: ReadonlyMap<number, ViewableUser>
  /** Undefined if the viewer may access all users. */
  readonly accessible: ReadonlySet<number> | undefined
  readonly channelNames: ReadonlyMap<number, string>
  readonly members: ReadonlyMap<number, readonly number[]>
  readonly parts: readonly ReadonlyMap<number, Partial<MessageParts>>[]
  /** By topic. */
  readonly links: ReadonlyMap<string, MessageParts['topic_links']>
}

/** Builds the message objects of the API, with all their fields. */
@perServer()
export class MessageView {
  readonly #channelNames: SharedRows<string>
  readonly #participants: SharedRows<readonly number[]>

  constructor(
    @inject(UsersAndSystemBots) private readonly users: UsersAndSystemBots,
    @inject(UserAccess) private readonly userAccess: UserAccess,
    @inject(ChannelRepository) channels: ChannelRepository,
    @inject(ConversationRepository) conversations: ConversationRepository,
    @inject(TopicLinks) private readonly topicLinks: TopicLinks,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
    @injectAll(MessageDecorationToken)
    private readonly decorations: readonly MessageDecoration[],
    @inject(SharedValues) shared: SharedValues,
  ) {
    this.#channelNames = shared.defineRows('channel_names', {
      load: (scope, ids) => channels.namesOf(scope, ids),
      // A renamed channel may be new to all who see it, or hidden from all who saw it.
      changedBy: [channelsCreated, channelsDeleted, channelUpdated],
    })
    this.#participants = shared.defineRows('participants', {
      load: (scope, recipientIds) => conversations.members(scope, recipientIds),
      // The participants of a conversation never change.
      changedBy: [],
    })
  }

  /** The objects of the messages, in the same order, with a constant number of statements. */
  async objects(
    scope: OrganizationScope,
    viewer: Actor,
    found: readonly FoundMessage[],
    format: MessageFormat,
  ): Promise<MessageObject[]> {
    if (found.length === 0) return []
    const context = await this.#context(
      scope,
      viewer,
      found.map(({ message }) => message),
    )
    const yielder = new EventLoopYielder()
    const objects: MessageObject[] = []
    for (const one of found) {
      if (yielder.isDue) await yielder.yield()
      objects.push(this.#object(one, format, context))
    }
    return objects
  }

  async #context(
    scope: OrganizationScope,
    viewer: Actor,
    messages: readonly MessageRow[],
  ): Promise<MessageContext> {
    const channelIds = distinct(messages.flatMap(({ channel_id }) => channel_id ?? []))
    const [{ members, users }, channelNames, accessible, parts] = await scope.readTogether(
      () => this.#people(scope, messages),
      () => this.#channelNames.in(scope, channelIds),
      () => this.userAccess.accessibleTo(scope, viewer),
      () =>
        scope.readTogether<ReadonlyMap<number, Partial<MessageParts>>[]>(
          ...this.decorations.map((decoration) => () => decoration.partsOf(scope, messages)),
        ),
    )
    return {
      organization: await this.organizations.require(viewer.organizationId),
      users: new Map(users.map((user) => [user.id, asSeenBy(viewer, user)])),
      accessible,
      channelNames,
      members,
      parts,
      links: await this.topicLinks.of(
        viewer.organizationId,
        messages.map(({ topic }) => topic),
      ),
    }
  }

  /** The senders, and the participants of direct conversations. */
  async #people(scope: OrganizationScope, messages: readonly MessageRow[]) {
    const direct = messages.filter(({ channel_id }) => channel_id === null)
    const members = await this.#participants.in(
      scope,
      distinct(direct.map(({ recipient_id }) => recipient_id)),
    )
    const userIds = distinct([
      ...messages.map(({ sender_id }) => sender_id),
      ...[...members.values()].flat(),
    ])
    return { members, users: await this.users.findViewable(scope, userIds) }
  }

  #object(
    { message, flags }: FoundMessage,
    format: MessageFormat,
    context: MessageContext,
  ): MessageObject {
    const { settings } = context.organization
    const history = visibleEditHistory(
      message.edit_history,
      settings.message_edit_history_visibility_policy,
      format.allowsEmptyTopics,
    )
    const hasHiddenTopic = message.topic === '' && message.channel_id !== null
    return {
      id: message.id,
      ...this.#sender(message.sender_id, format, context),
      sender_realm_str: context.organization.subdomain,
      client: message.client,
      timestamp: message.sent_at_seconds,
      ...this.#place(message, context),
      recipient_id: message.recipient_id,
      subject: hasHiddenTopic && !format.allowsEmptyTopics ? emptyTopicDisplayName : message.topic,
      content: format.applyMarkdown ? message.rendered_content : message.content,
      content_type: format.applyMarkdown ? 'text/html' : 'text/x-markdown',
      is_me_message: isMeMessage(message.content),
      reactions: [],
      submessages: [],
      topic_links: message.channel_id === null ? [] : (context.links.get(message.topic) ?? []),
      ...Object.assign({}, ...context.parts.map((parts) => parts.get(message.id))),
      ...(history === undefined ? {} : { edit_history: history }),
      ...(message.last_edited_at_seconds === null
        ? {}
        : { last_edit_timestamp: message.last_edited_at_seconds }),
      ...(message.last_moved_at_seconds === null
        ? {}
        : { last_moved_timestamp: message.last_moved_at_seconds }),
      flags: [...flagNames(flags)],
    }
  }

  #sender(senderId: number, { clientGravatar }: MessageFormat, context: MessageContext) {
    const user = context.users.get(senderId)
    if (user === undefined || context.accessible?.has(senderId) === false) {
      const unknown = unknownUser(senderId, this.facts)
      return {
        sender_id: senderId,
        sender_full_name: unknown.full_name,
        sender_email: unknown.email,
        avatar_url: unknown.avatar_url,
      }
    }
    return {
      sender_id: senderId,
      sender_full_name: user.full_name,
      sender_email: apiEmail(user, this.facts),
      avatar_url: avatarUrl(user, this.facts, { clientGravatar }),
    }
  }

  #place(message: MessageRow, context: MessageContext) {
    if (message.channel_id !== null) {
      return {
        type: 'stream' as const,
        stream_id: message.channel_id,
        display_recipient: context.channelNames.get(message.channel_id) ?? '',
      }
    }
    const participants = (context.members.get(message.recipient_id) ?? []).flatMap(
      (id) => context.users.get(id) ?? [],
    )
    return {
      type: 'private' as const,
      display_recipient: displayRecipient(participants, this.facts, context.accessible),
    }
  }
}

function distinct(ids: readonly number[]): number[] {
  return [...new Set(ids)]
}
