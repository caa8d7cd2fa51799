import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/actor.js'
import { MessageFlag } from '../../../domain/message-flags.js'
import { requireTopicAllowed, topicKey } from '../../../domain/topics.js'
import { widgetOf } from '../../../domain/widgets.js'
import { ApplicationHooks } from '../../../events/application-hooks.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { UnitOfWork, type RunOptions, type Transaction } from '../../../storage/index.js'
import { AttachmentClaims } from '../../files/attachments/index.js'
import { ChannelRepository, type ChannelForSender } from '../../channels/channels/index.js'
import { MessageRenderer, type RenderedContent } from '../../content/rendering/index.js'
import { ActiveUsers, OrganizationService } from '../../organization/organizations/index.js'
import { UserDirectory, type UserRow } from '../../people/users/index.js'
import { AutomaticVisibility } from './automatic-visibility.js'
import { DirectRecipients } from './direct-recipients.js'
import { isCalled, MentionedBots } from './mentioned-bots.js'
import { Mentions } from './mentions.js'
import { MessageAnnouncer, type StoredMessage } from './message-announcer.js'
import {
  isHumanClient,
  prepareMessage,
  type CheckedMessage,
  type MessageDraft,
  type PreparedMessage,
  type SentMessage,
} from './message-draft.js'
import { displayRecipient, MessageRepository, type RecordFlags } from '../objects/index.js'
import {
  MessageSentStepsToken,
  type MessageSentStep,
  type NewlySent,
} from './message-sent-steps.js'
import { Muters } from './muters.js'
import { ChannelAudience, PostingPermission } from '../../channels/message-permissions/index.js'

/** A message that is about to be stored. */
interface Outgoing {
  readonly actor: Actor
  readonly sender: UserRow
  readonly draft: MessageDraft
  readonly content: string
  readonly topic: string
  readonly rendered: RenderedContent
  /** JSON of the message's widget. */
  readonly widget: string | undefined
  readonly readBySender: boolean
}

/** A message that was sent, and the bots whose webhooks must be called. */
type CallingMessage = SentMessage & Pick<NewlySent, 'calledBotIds'>

/** The destination of a message, after the sender's permission is checked. */
type Place =
  | { readonly kind: 'direct'; readonly users: readonly UserRow[] }
  | { readonly kind: 'channel'; readonly found: ChannelForSender }

/** Sends messages. */
@perServer()
export class MessageService {
  constructor(
    @inject(MessageRepository) private readonly messages: MessageRepository,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAudience) private readonly audiences: ChannelAudience,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(PostingPermission) private readonly posting: PostingPermission,
    @inject(DirectRecipients) private readonly direct: DirectRecipients,
    @inject(Mentions) private readonly mentions: Mentions,
    @inject(MentionedBots) private readonly bots: MentionedBots,
    @inject(Muters) private readonly muters: Muters,
    @inject(AutomaticVisibility) private readonly visibility: AutomaticVisibility,
    @inject(AttachmentClaims) private readonly attachments: AttachmentClaims,
    @inject(MessageAnnouncer) private readonly announcer: MessageAnnouncer,
    @inject(MessageSentStepsToken) private readonly steps: () => readonly MessageSentStep[],
    @inject(MessageRenderer) private readonly renderer: MessageRenderer,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserDirectory) private readonly users: UserDirectory,
    @inject(ApplicationHooks) private readonly hooks: ApplicationHooks,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * Sends a message of `actor`, optionally inside a transaction of the application.
   *
   * @throws {ChatError} `BAD_REQUEST` if the message is malformed or may not be sent.
   * @throws {ChatError} `STREAM_DOES_NOT_EXIST` if it names a channel that does not exist.
   */
  async send(actor: Actor, request: MessageDraft, options: RunOptions = {}): Promise<SentMessage> {
    const { organizationId, userId } = actor
    const draft: MessageDraft = {
      ...request,
      ...(await this.hooks.ask('messages.send', {
        organizationId,
        userId,
        type: request.type,
        to: request.to,
        topic: request.topic,
        content: request.content,
      })),
    }
    const prepared = prepareMessage(draft)
    return this.unitOfWork.runFor(actor, (tx) => this.#sendIn(tx, actor, prepared), options)
  }

  /**
   * Sends a prepared message within an existing transaction.
   *
   * @returns the id of the new message.
   * @throws {ChatError} as {@link send} does.
   */
  async sendIn(tx: Transaction, actor: Actor, prepared: PreparedMessage): Promise<number> {
    return (await this.#sendIn(tx, actor, prepared)).id
  }

  /**
   * Performs all checks of sending without sending.
   *
   * @returns the destination of the message, and its rendered content.
   * @throws {ChatError} as {@link send} does.
   */
  async check(tx: Transaction, actor: Actor, prepared: PreparedMessage): Promise<CheckedMessage> {
    const place = await this.#place(tx, actor, prepared)
    const outgoing = await this.#outgoing(tx, actor, prepared)
    const channelId = place.kind === 'channel' ? place.found.channel.id : null
    await this.#flags(tx, outgoing, channelId)
    return {
      channelId,
      userIds: place.kind === 'direct' ? place.users.map((user) => user.id) : [],
      renderedContent: outgoing.rendered.html,
      attachmentIds: outgoing.rendered.attachmentIds,
    }
  }

  async #sendIn(tx: Transaction, actor: Actor, prepared: PreparedMessage): Promise<SentMessage> {
    const place = await this.#place(tx, actor, prepared)
    const outgoing = await this.#outgoing(tx, actor, prepared)
    const { calledBotIds, ...sent } =
      place.kind === 'direct'
        ? await this.#sendDirect(tx, outgoing, place.users)
        : await this.#sendToChannel(tx, outgoing, place.found)
    const participantIds = place.kind === 'direct' ? place.users.map(({ id }) => id) : undefined
    const { rendered } = outgoing
    for (const step of this.steps()) {
      await step.sent(tx, [
        {
          id: sent.id,
          senderId: actor.userId,
          participantIds,
          rendered,
          calledBotIds: actor.isBot ? [] : calledBotIds,
        },
      ])
    }
    return sent
  }

  async #place(
    tx: Transaction,
    actor: Actor,
    { target, topic, isAnswer }: PreparedMessage,
  ): Promise<Place> {
    if (target.kind === 'direct') {
      const users = await this.direct.resolve(tx, actor, target.users)
      await this.direct.requireAllowed(tx, actor, users)
      return { kind: 'direct', users }
    }
    const { channel } = target
    const key = topicKey(topic)
    const found = await this.posting.requireChannel(tx, actor, channel, key, isAnswer)
    const { settings } = await this.organizations.require(tx.organizationId)
    requireTopicAllowed(topic, found.channel.topics_policy, settings.topics_policy)
    return { kind: 'channel', found }
  }

  async #outgoing(
    tx: Transaction,
    actor: Actor,
    { draft, topic, content }: PreparedMessage,
  ): Promise<Outgoing> {
    const widget = widgetOf(content, draft.widgetContent)
    return {
      actor,
      widget,
      sender: await this.users.require(tx, actor.userId),
      draft,
      content,
      topic,
      rendered: await this.renderer.render(tx, actor, content),
      readBySender: draft.readBySender ?? isHumanClient(draft.clientName),
    }
  }

  async #sendToChannel(
    tx: Transaction,
    outgoing: Outgoing,
    found: ChannelForSender,
  ): Promise<CallingMessage> {
    const { channel } = found
    const { sender, topic, rendered } = outgoing
    const flags = await this.#flags(tx, outgoing, channel.id)
    const id = await this.#insert(tx, outgoing, channel.recipient_id, channel.id)
    await this.messages.insertChannelRecords(tx, id, channel.id, flags)
    const bots = await this.bots.receive(tx, { id, channelId: channel.id, rendered, flags })
    if (channel.first_message_id === null) {
      await this.channels.update(tx, channel.id, { first_message_id: id })
    }
    const place = { messageId: id, channelId: channel.id, topicKey: topicKey(topic), topic }
    const visibilityPolicy = await this.visibility.afterSending(tx, sender, found, place)
    await this.visibility.afterMentioning(tx, flags, place)
    await this.attachments.claim(tx, { id, sender_id: sender.id }, rendered.attachmentIds)
    const audience = {
      audienceId: await this.audiences.of(tx, channel),
      userIds: bots.addedIds,
      followerAudienceId: channel.is_private
        ? null
        : await this.activeUsers.memberAudience(tx, found.memberAudienceId),
    }
    await this.announcer.announce(tx, audience, {
      ...storedMessage(id, outgoing, flags),
      place: {
        type: 'stream',
        stream_id: channel.id,
        recipient_id: channel.recipient_id,
        display_recipient: channel.name,
      },
    })
    const { calledBotIds } = bots
    return { id, calledBotIds, ...(visibilityPolicy === undefined ? {} : { visibilityPolicy }) }
  }

  async #sendDirect(
    tx: Transaction,
    outgoing: Outgoing,
    users: readonly UserRow[],
  ): Promise<CallingMessage> {
    const recipientId = await this.direct.conversation(tx, users)
    const flags = await this.#flags(tx, outgoing, null)
    const id = await this.#insert(tx, outgoing, recipientId, null)
    await this.messages.insertDirectRecords(tx, id, recipientId, flags)
    const userIds = users.filter((user) => user.is_active).map((user) => user.id)
    const { sender, rendered } = outgoing
    await this.attachments.claim(tx, { id, sender_id: sender.id }, rendered.attachmentIds)
    await this.announcer.announce(
      tx,
      { userIds },
      {
        ...storedMessage(id, outgoing, flags),
        place: {
          type: 'private',
          recipient_id: recipientId,
          display_recipient: displayRecipient(users, this.facts),
        },
      },
    )
    const called = users.filter((user) => user.is_active && isCalled(user.bot_type))
    return { id, calledBotIds: called.map((user) => user.id) }
  }

  /** The flags of the recipients' user messages. */
  async #flags(
    tx: Transaction,
    { actor, sender, rendered, topic, readBySender }: Outgoing,
    channelId: number | null,
  ): Promise<RecordFlags> {
    const place = channelId === null ? null : { channelId, topic }
    const flags = await this.mentions.flags(tx, actor, rendered, place)
    const readers = [...(await this.muters.of(tx.organizationId, sender.id))]
    if (readBySender) readers.push(sender.id)
    const ofUsers = new Map(flags.ofUsers)
    for (const userId of readers) ofUsers.set(userId, (ofUsers.get(userId) ?? 0) | MessageFlag.read)
    return { ...flags, ofUsers }
  }

  async #insert(
    tx: Transaction,
    { sender, draft, content, topic, rendered }: Outgoing,
    recipientId: number,
    channelId: number | null,
  ): Promise<number> {
    return this.messages.insert(tx, {
      sender_id: sender.id,
      recipient_id: recipientId,
      channel_id: channelId,
      topic,
      topic_key: topicKey(topic),
      content,
      rendered_content: rendered.html,
      sent_at_seconds: nowSeconds(this.clock),
      client: draft.clientName,
      content_traits: rendered.traits,
      edit_history: null,
      last_edited_at_seconds: null,
      last_moved_at_seconds: null,
    })
  }
}

function storedMessage(
  id: number,
  { sender, draft, topic, content, rendered, widget }: Outgoing,
  flags: RecordFlags,
): Omit<StoredMessage, 'place'> {
  return { id, sender, draft, topic, content, renderedContent: rendered.html, widget, flags }
}
