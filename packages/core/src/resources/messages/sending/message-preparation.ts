import { inject } from 'tsyringe'

import { MessageFlag } from '../../../domain/messages/message-flags.js'
import { requireTopicAllowed, topicKey } from '../../../domain/messages/topics.js'
import { widgetOf } from '../../../domain/messages/widgets.js'
import { type Actor, BotType } from '../../../domain/users/actor.js'
import type { OrganizationState } from '../../../events/log/organization-changes.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import type { ChannelForSender } from '../../channels/channels/index.js'
import { PostingPermission } from '../../channels/message-permissions/index.js'
import { MessageRenderer, type RenderedContent } from '../../content/rendering/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UserDirectory } from '../../people/users/index.js'
import { MessageRepository, type UserMessageFlags } from '../objects/index.js'
import { DirectRecipients } from './direct-recipients.js'
import { Mentions } from './mentions.js'
import { isHumanClient, localOf, type MessageDraft } from './message-draft.js'
import type { Destination, PreparedMessage } from './message-stages.js'
import { Muters } from './muters.js'

/** In each organization. */
const maxRemembered = 1000

/**
 * Remembers which users may send to which topics of which channels, as long as nothing changes in
 * their organization that decides about it.
 */
class CheckedChannels {
  readonly #byState = new WeakMap<OrganizationState, Map<string, Promise<ChannelForSender>>>()

  /** @param load checks the permission. If it throws, the next call checks again. */
  async get(
    state: OrganizationState,
    key: string,
    load: () => Promise<ChannelForSender>,
  ): Promise<ChannelForSender> {
    const remembered = this.#byState.get(state) ?? new Map<string, Promise<ChannelForSender>>()
    this.#byState.set(state, remembered)
    const known = remembered.get(key)
    if (known !== undefined) return known
    if (remembered.size >= maxRemembered) remembered.clear()
    const loading = load()
    remembered.set(key, loading)
    let found: ChannelForSender | undefined
    try {
      found = await loading
      return found
    } finally {
      if (found === undefined || !isComplete(found)) remembered.delete(key)
    }
  }
}

/** Whether the next message changes nothing in it. */
function isComplete({ channel, memberAudienceId, topic }: ChannelForSender): boolean {
  return (
    channel.first_message_id !== null &&
    channel.audience_id !== null &&
    memberAudienceId !== null &&
    topic.hasMessages
  )
}

/** The bots that a message concerns in addition to the subscribers of its channel. */
interface ConcernedBots {
  /** Mentioned bots that are not subscribed and get a user message. */
  readonly addedIds: readonly number[]
  /** Bots whose webhooks are called, subscribed or not. */
  readonly calledIds: readonly number[]
}

/** Finds the bots to which messages are delivered; mentioned bots need no subscription. */
@perServer()
class MentionedBots {
  constructor(@inject(MessageRepository) private readonly messages: MessageRepository) {}

  async find(
    scope: OrganizationScope,
    destination: Destination,
    { mentionedUserIds }: RenderedContent,
  ): Promise<ConcernedBots> {
    if (destination.kind === 'direct') {
      const called = destination.participants.filter(
        (user) => user.is_active && isCalled(user.bot_type),
      )
      return { addedIds: [], calledIds: called.map(({ id }) => id) }
    }
    if (mentionedUserIds.length === 0) return { addedIds: [], calledIds: [] }
    const bots = await this.messages.listBots(scope, destination.channel.id, mentionedUserIds)
    // Outgoing webhook and embedded bots need no user messages.
    const added = bots.filter(
      ({ botType, isSubscribed }) =>
        !isSubscribed && botType !== BotType.outgoingWebhook && botType !== BotType.embedded,
    )
    return {
      addedIds: added.map(({ id }) => id),
      calledIds: bots.filter(({ botType }) => isCalled(botType)).map(({ id }) => id),
    }
  }
}

/** Whether messages to a bot of this type are sent to its webhook. */
function isCalled(botType: number | null): boolean {
  return botType === BotType.outgoingWebhook
}

/** Checks the messages that users want to send, and renders them. */
@perServer()
export class MessagePreparation {
  readonly #channels = new CheckedChannels()

  constructor(
    @inject(PostingPermission) private readonly posting: PostingPermission,
    @inject(DirectRecipients) private readonly direct: DirectRecipients,
    @inject(MessageRenderer) private readonly renderer: MessageRenderer,
    @inject(Mentions) private readonly mentions: Mentions,
    @inject(MentionedBots) private readonly bots: MentionedBots,
    @inject(Muters) private readonly muters: Muters,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserDirectory) private readonly users: UserDirectory,
  ) {}

  /**
   * Performs all checks of sending, and writes nothing.
   *
   * @param scope outside a transaction, or the transaction in which the message is sent.
   * @param state outside a transaction: the state of the organization before anything was read.
   * @throws {ChatError} `BAD_REQUEST` if `actor` may not send the message.
   * @throws {ChatError} `STREAM_DOES_NOT_EXIST` if it names a channel that does not exist.
   * @throws {ChatError} the errors of topic policies and mentions.
   */
  async prepare(
    scope: OrganizationScope,
    actor: Actor,
    draft: MessageDraft,
    state?: OrganizationState,
  ): Promise<PreparedMessage> {
    const { topic, content, clientName } = draft
    const destination = await this.#destination(scope, actor, draft, state)
    const widget = widgetOf(content, draft.widgetContent)
    const sender = await this.users.require(scope, actor.userId)
    const rendered = await this.renderer.render(scope, actor, content)
    const flags = await this.#flags(scope, actor, draft, destination, rendered)
    const { addedIds, calledIds } = await this.bots.find(scope, destination, rendered)
    return {
      sender,
      destination,
      topic,
      content,
      rendered,
      flags,
      clientName,
      widget,
      local: localOf(draft),
      repeatable: draft.repeatable,
      addedBotIds: addedIds,
      calledBotIds: actor.isBot ? [] : calledIds,
    }
  }

  async #destination(
    scope: OrganizationScope,
    actor: Actor,
    { target, topic, isAnswer }: MessageDraft,
    state: OrganizationState | undefined,
  ): Promise<Destination> {
    if (target.kind === 'direct') {
      const participants = await this.direct.resolve(scope, actor, target.users)
      await this.direct.requireAllowed(scope, actor, participants)
      return { kind: 'direct', participants }
    }
    const key = topicKey(topic)
    const check = () => this.posting.requireChannel(scope, actor, target.channel, key, isAnswer)
    const forSender =
      state === undefined || isAnswer === true
        ? await check()
        : await this.#channels.get(
            state,
            JSON.stringify([actor.userId, target.channel, key]),
            check,
          )
    const { channel } = forSender
    const { settings } = await this.organizations.require(scope.organizationId)
    requireTopicAllowed(topic, channel.topics_policy, settings.topics_policy)
    return { kind: 'channel', channel, forSender }
  }

  /** The flags of the recipients' user messages. */
  async #flags(
    scope: OrganizationScope,
    actor: Actor,
    { topic, clientName, readBySender }: MessageDraft,
    destination: Destination,
    rendered: RenderedContent,
  ): Promise<UserMessageFlags> {
    const place =
      destination.kind === 'direct' ? null : { channelId: destination.channel.id, topic }
    const flags = await this.mentions.flags(scope, actor, rendered, place)
    const readerIds = [...(await this.muters.of(scope.organizationId, actor.userId))]
    if (readBySender ?? isHumanClient(clientName)) readerIds.push(actor.userId)
    const ofUsers = new Map(flags.ofUsers)
    for (const userId of readerIds) {
      ofUsers.set(userId, (ofUsers.get(userId) ?? 0) | MessageFlag.read)
    }
    return { ...flags, ofUsers }
  }
}
