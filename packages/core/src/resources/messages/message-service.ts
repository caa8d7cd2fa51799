import { inject } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import { isMeMessage, normalizeContent } from '../../domain/message-content.js'
import { MessageFlag, flagNames } from '../../domain/message-flags.js'
import { normalizeTopic, requireTopicAllowed, topicKey } from '../../domain/topics.js'
import { badRequest } from '../../errors/index.js'
import { ApplicationHooks } from '../../events/application-hooks.js'
import type { Audience, RecipientGroup } from '../../events/event.js'
import { nowSeconds, type Clock } from '../../kernel/clock.js'
import { perServer } from '../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../kernel/server-facts.js'
import { ClockToken } from '../../kernel/tokens.js'
import { UnitOfWork, type RunOptions, type Transaction } from '../../storage/index.js'
import { ChannelRepository, type ChannelRow } from '../channels/index.js'
import { TopicLinks } from '../linkifiers/index.js'
import { MessageRenderer, type RenderedContent } from '../message-rendering/index.js'
import { OrganizationService } from '../organizations/index.js'
import { apiEmail, avatarUrl, UserDirectory, type UserRow } from '../users/index.js'
import { DirectRecipients } from './direct-recipients.js'
import { messageSent } from './message-events.js'
import { Mentions } from './mentions.js'
import { MessageRepository, type RecordFlags } from './message-repository.js'
import type { MessageParts } from './message-schemas.js'
import { parseChannelTarget, parseDirectTarget, type MessageTarget } from './message-target.js'
import { Muters } from './muters.js'
import { PostingPermission } from './posting-permission.js'

/** A message as its sender asks for it. */
export interface MessageDraft {
  readonly type: 'direct' | 'private' | 'channel' | 'stream'
  /** As it travels: an id or name of a channel, or users' ids or addresses, as JSON or plain text. */
  readonly to: string | undefined
  readonly topic?: string | undefined
  readonly content: string
  /** Whether the sender has read it; the server decides by the client's name otherwise. */
  readonly readBySender?: boolean | undefined
  readonly clientName: string
  /** The sender's queue that gets `localId` back with the event. */
  readonly queueId?: string | undefined
  readonly localId?: string | undefined
}

/** A message that is about to be stored. */
interface Outgoing {
  readonly actor: Actor
  readonly sender: UserRow
  readonly draft: MessageDraft
  readonly content: string
  readonly topic: string
  readonly rendered: RenderedContent
  readonly readBySender: boolean
}

const humanClients = new Set([
  'zulipandroid',
  'zulipios',
  'zulipdesktop',
  'zulipmobile',
  'zulipelectron',
  'zulipterminal',
  'snipe',
  'website',
  'ios',
  'android',
])

/** Whether a client is one that people read with, so that what they send counts as read. */
export function isHumanClient(clientName: string): boolean {
  return humanClients.has(clientName.toLowerCase())
}

/** A message whose texts are as they will be stored, and whose recipients are not looked up yet. */
export interface PreparedMessage {
  readonly draft: MessageDraft
  readonly target: MessageTarget
  readonly topic: string
  readonly content: string
}

/** A message that could be sent now. */
export interface CheckedMessage {
  /** Null for direct messages. */
  readonly channelId: number | null
  /** The participants of a direct message, the sender included; ascending. */
  readonly userIds: readonly number[]
  readonly renderedContent: string
}

/** @throws {ChatError} `BAD_REQUEST` if the draft is malformed. */
export function prepareMessage(draft: MessageDraft): PreparedMessage {
  const target = targetOf(draft)
  if (target.kind === 'channel' && draft.topic === undefined) throw badRequest('Missing topic')
  const topic = target.kind === 'channel' ? normalizeTopic(draft.topic ?? '') : ''
  return { draft, target, topic, content: normalizeContent(draft.content) }
}

/** Sends messages. */
@perServer()
export class MessageService {
  constructor(
    @inject(MessageRepository) private readonly messages: MessageRepository,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(PostingPermission) private readonly posting: PostingPermission,
    @inject(DirectRecipients) private readonly direct: DirectRecipients,
    @inject(TopicLinks) private readonly topicLinks: TopicLinks,
    @inject(Mentions) private readonly mentions: Mentions,
    @inject(Muters) private readonly muters: Muters,
    @inject(MessageRenderer) private readonly renderer: MessageRenderer,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserDirectory) private readonly users: UserDirectory,
    @inject(ApplicationHooks) private readonly hooks: ApplicationHooks,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * Sends a message, as `actor` or inside the application's own transaction.
   *
   * @returns the new message's id.
   * @throws {ChatError} `BAD_REQUEST` if the message is malformed or may not be sent.
   * @throws {ChatError} `STREAM_DOES_NOT_EXIST` if it names a channel that does not exist.
   */
  async send(actor: Actor, asked: MessageDraft, options: RunOptions = {}): Promise<number> {
    const { organizationId, userId } = actor
    const draft: MessageDraft = {
      ...asked,
      ...(await this.hooks.ask('messages.send', {
        organizationId,
        userId,
        type: asked.type,
        to: asked.to,
        topic: asked.topic,
        content: asked.content,
      })),
    }
    const prepared = prepareMessage(draft)
    return this.unitOfWork.run(
      actor.organizationId,
      (tx) => this.sendIn(tx, actor, prepared),
      options,
    )
  }

  /**
   * Sends a prepared message as part of a transaction that does more.
   *
   * @returns the new message's id.
   * @throws {ChatError} as {@link send} does.
   */
  async sendIn(tx: Transaction, actor: Actor, prepared: PreparedMessage): Promise<number> {
    const place = await this.#place(tx, actor, prepared)
    const outgoing = await this.#outgoing(tx, actor, prepared)
    return place.kind === 'direct'
      ? this.#sendDirect(tx, outgoing, place.users)
      : this.#sendToChannel(tx, outgoing, place.channel)
  }

  /**
   * Makes every check of sending without sending.
   *
   * @returns where the message would go, and what it would look like.
   * @throws {ChatError} as {@link send} does.
   */
  async check(tx: Transaction, actor: Actor, prepared: PreparedMessage): Promise<CheckedMessage> {
    const place = await this.#place(tx, actor, prepared)
    const outgoing = await this.#outgoing(tx, actor, prepared)
    const channelId = place.kind === 'channel' ? place.channel.id : null
    await this.#mentions(tx, outgoing, channelId)
    return {
      channelId,
      userIds: place.kind === 'direct' ? place.users.map((user) => user.id) : [],
      renderedContent: outgoing.rendered.html,
    }
  }

  async #place(
    tx: Transaction,
    actor: Actor,
    { target, topic }: PreparedMessage,
  ): Promise<
    { kind: 'direct'; users: readonly UserRow[] } | { kind: 'channel'; channel: ChannelRow }
  > {
    if (target.kind === 'direct') {
      const users = await this.direct.resolve(tx, actor, target.users)
      await this.direct.requireAllowed(tx, actor, users)
      return { kind: 'direct', users }
    }
    const { channel } = await this.posting.requireChannel(tx, actor, target.channel)
    const organization = await this.organizations.require(tx.organizationId)
    requireTopicAllowed(topic, channel.topics_policy, organization.settings.topics_policy)
    return { kind: 'channel', channel }
  }

  async #outgoing(
    tx: Transaction,
    actor: Actor,
    { draft, topic, content }: PreparedMessage,
  ): Promise<Outgoing> {
    return {
      actor,
      sender: await this.users.require(tx, actor.userId),
      draft,
      content,
      topic,
      rendered: await this.renderer.render(tx, actor, content),
      readBySender: draft.readBySender ?? isHumanClient(draft.clientName),
    }
  }

  async #sendToChannel(tx: Transaction, outgoing: Outgoing, channel: ChannelRow): Promise<number> {
    const id = await this.#insert(tx, outgoing, channel.recipient_id, channel.id)
    const flags = withReader(await this.#mentions(tx, outgoing, channel.id), outgoing)
    await this.messages.insertChannelRecords(tx, id, channel.id, flags)
    const audienceId = await this.#receivers(tx, channel, id)
    const audience: Audience = {
      audienceId,
      includesPublicFollowers: !channel.is_private,
    }
    await this.#announce(tx, outgoing, id, audience, flags, {
      type: 'stream',
      stream_id: channel.id,
      recipient_id: channel.recipient_id,
      display_recipient: channel.name,
    })
    return id
  }

  async #sendDirect(
    tx: Transaction,
    outgoing: Outgoing,
    users: readonly UserRow[],
  ): Promise<number> {
    const recipientId = await this.direct.conversation(tx, users)
    const id = await this.#insert(tx, outgoing, recipientId, null)
    const flags = withReader(await this.#mentions(tx, outgoing, null), outgoing)
    await this.messages.insertDirectRecords(tx, id, recipientId, flags)
    const userIds = users.filter((user) => user.is_active).map((user) => user.id)
    await this.#announce(
      tx,
      outgoing,
      id,
      { userIds },
      flags,
      {
        type: 'private',
        recipient_id: recipientId,
        display_recipient: this.direct.displayRecipient(users),
      },
    )
    return id
  }

  async #topicLinks(tx: Transaction, topic: string): Promise<MessageParts['topic_links']> {
    return (await this.topicLinks.of(tx.organizationId, [topic])).get(topic) ?? []
  }

  async #mentions(
    tx: Transaction,
    { actor, sender, rendered, topic }: Outgoing,
    channelId: number | null,
  ): Promise<RecordFlags> {
    const place = channelId === null ? null : { channelId, topic }
    const flags = await this.mentions.flags(tx, actor, rendered, place)
    const muters = await this.muters.of(tx.organizationId, sender.id)
    if (muters.length === 0) return flags
    const ofUsers = new Map(flags.ofUsers)
    for (const userId of muters) ofUsers.set(userId, (ofUsers.get(userId) ?? 0) | MessageFlag.read)
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

  /** The interned list of the channel's receivers; kept at the channel until they change. */
  async #receivers(tx: Transaction, channel: ChannelRow, messageId: number): Promise<number> {
    const changes: Partial<ChannelRow> = {}
    if (channel.first_message_id === null) changes.first_message_id = messageId
    let audienceId = channel.audience_id
    if (audienceId === null) {
      const receivers = await this.channels.listReceiverIds(tx, channel.id)
      audienceId = await this.unitOfWork.audiences.intern(tx, receivers)
      changes.audience_id = audienceId
    }
    if (Object.keys(changes).length > 0) await this.channels.update(tx, channel.id, changes)
    return audienceId
  }

  async #announce(
    tx: Transaction,
    { sender, draft, content, topic, rendered }: Outgoing,
    id: number,
    audience: Audience,
    flags: RecordFlags,
    place: {
      readonly type: 'stream' | 'private'
      readonly display_recipient: unknown
      readonly recipient_id: number
      readonly stream_id?: number
    },
  ): Promise<void> {
    const organization = await this.organizations.require(tx.organizationId)
    tx.emit(
      messageSent(
        audience,
        {
          message: {
            id,
            sender_id: sender.id,
            sender_email: apiEmail(sender, this.facts),
            sender_full_name: sender.full_name,
            sender_realm_str: organization.subdomain,
            client: draft.clientName,
            timestamp: nowSeconds(this.clock),
            is_me_message: isMeMessage(content),
            topic_links: place.type === 'stream' ? await this.#topicLinks(tx, topic) : [],
            reactions: [],
            submessages: [],
            ...place,
          },
          topic,
          content,
          renderedContent: rendered.html,
          avatarUrl: avatarUrl(sender, { clientGravatar: false }),
          commonFlags: flagNames(flags.forEveryone),
          isGravatarPublic: avatarUrl(sender, { clientGravatar: true }) === null,
          ...(draft.queueId === undefined || draft.localId === undefined
            ? {}
            : { local: { queueId: draft.queueId, localId: draft.localId } }),
        },
        flagGroups(flags),
      ),
    )
  }
}

function targetOf(draft: MessageDraft): MessageTarget {
  return draft.type === 'channel' || draft.type === 'stream'
    ? parseChannelTarget(draft.to)
    : parseDirectTarget(draft.to)
}

/** The sender's own record, which may be read from the start. */
function withReader(flags: RecordFlags, { sender, readBySender }: Outgoing): RecordFlags {
  if (!readBySender) return flags
  const ofUsers = new Map(flags.ofUsers)
  ofUsers.set(sender.id, (ofUsers.get(sender.id) ?? 0) | MessageFlag.read)
  return { ...flags, ofUsers }
}

function flagGroups({ ofUsers, forEveryone }: RecordFlags): readonly RecipientGroup[] {
  const byMask = new Map<number, number[]>()
  for (const [userId, mask] of ofUsers) {
    const list = byMask.get(mask)
    if (list === undefined) byMask.set(mask, [userId])
    else list.push(userId)
  }
  return [...byMask].map(([mask, userIds]) => ({
    userIds,
    fields: { flags: flagNames(mask | forEveryone) },
  }))
}
