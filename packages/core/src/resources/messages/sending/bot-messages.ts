import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/actor.js'
import { normalizeContent } from '../../../domain/message-content.js'
import { MessageFlag } from '../../../domain/message-flags.js'
import type { SystemBotName } from '../../../domain/system-bots.js'
import { topicKey, truncateTopic } from '../../../domain/topics.js'
import type { Audience } from '../../../events/event.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { ChannelSubscriberRepository, type ChannelRow } from '../../channels/channels/index.js'
import { ActiveUsers } from '../../organization/organizations/index.js'
import { MessageRenderer, type RenderedContent } from '../../content/rendering/index.js'
import { SystemBots, actorOf, type UserRow } from '../../people/users/index.js'
import { BotMessageRepository, type FlaggedRecords } from './bot-message-repository.js'
import { ConversationRepository, displayRecipient } from '../objects/index.js'
import { MessageAnnouncer, type StoredMessage } from './message-announcer.js'
import { MessageSentStepsToken, type MessageSentStep } from './message-sent-steps.js'
import { Muters } from './muters.js'

/** The `client` of messages that the server itself sends. */
const clientName = 'Internal'

/** A message that the server itself sends. */
export interface BotMessage {
  readonly to:
    | { readonly channelId: number; readonly topic: string }
    /** An active user. */
    | { readonly user: UserRow }
  readonly content: string
  /** Flags of recipients' user messages, masks of `MessageFlag` by user id. */
  readonly flags?: ReadonlyMap<number, number>
}

/** The destination and the recipients of a message. */
interface Place {
  readonly recipientId: number
  readonly channel: ChannelRow | undefined
  readonly topic: string
  readonly audience: Audience
  readonly participants: readonly UserRow[] | undefined
}

/**
 * Sends the messages of the system bots. They may write to all users and channels, including
 * archived channels. The number of statements does not depend on the number of messages.
 */
@perServer()
export class BotMessages {
  constructor(
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(BotMessageRepository) private readonly messages: BotMessageRepository,
    @inject(ChannelSubscriberRepository) private readonly subscribers: ChannelSubscriberRepository,
    @inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @inject(MessageAnnouncer) private readonly announcer: MessageAnnouncer,
    @inject(MessageRenderer) private readonly renderer: MessageRenderer,
    @inject(MessageSentStepsToken) private readonly steps: () => readonly MessageSentStep[],
    @inject(Muters) private readonly muters: Muters,
    @inject(SystemBots) private readonly bots: SystemBots,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * @param cause the user whose action causes the messages: references that this user may not see
   *   are not linked. If undefined, the permissions of the bot apply.
   * @returns the ids, in the order of the messages.
   */
  async send(
    tx: Transaction,
    name: SystemBotName,
    messages: readonly BotMessage[],
    cause?: Actor,
  ): Promise<number[]> {
    if (messages.length === 0) return []
    const bot = this.bots.get(tx.organizationId, name)
    const places = await this.#places(tx, bot, messages)
    const contents = messages.map(({ content }) => normalizeContent(content))
    const rendered = await this.#render(tx, cause ?? actorOf(bot), contents)
    const ids = await this.messages.insert(
      tx,
      bot.id,
      places.map((place, index) => ({
        recipient_id: place.recipientId,
        channel_id: place.channel?.id ?? null,
        topic: place.topic,
        topic_key: topicKey(place.topic),
        content: contents[index] as string,
        rendered_content: (rendered[index] as RenderedContent).html,
        sent_at_seconds: nowSeconds(this.clock),
        client: clientName,
        content_traits: (rendered[index] as RenderedContent).traits,
        edit_history: null,
        last_edited_at_seconds: null,
        last_moved_at_seconds: null,
      })),
    )
    const muters = await this.muters.of(tx.organizationId, bot.id)
    const stored = places.map((place, index): Stored => {
      const [message, text] = [messages[index] as BotMessage, rendered[index] as RenderedContent]
      const flags = recordFlags(message, place, text, muters)
      return { id: ids[index] as number, content: contents[index] as string, place, text, flags }
    })
    await this.#insertRecords(tx, stored)
    for (const one of stored) await this.#announce(tx, bot, one)
    for (const step of this.steps()) {
      await step.sent(
        tx,
        stored.map(({ id, place, text }) => ({
          id,
          senderId: bot.id,
          participantIds: place.participants?.map((user) => user.id),
          rendered: text,
          calledBotIds: [],
        })),
      )
    }
    return ids
  }

  async #places(tx: Transaction, bot: UserRow, messages: readonly BotMessage[]): Promise<Place[]> {
    const channelIds = new Set<number>()
    const pairs: UserRow[][] = []
    for (const { to } of messages) {
      if ('user' in to) pairs.push([to.user, bot])
      else channelIds.add(to.channelId)
    }
    const rows = await this.messages.lockChannels(tx, [...channelIds])
    const channels = new Map(rows.map((row) => [row.id, row]))
    const audiences = await this.#audiences(tx, rows)
    const conversations =
      pairs.length === 0
        ? []
        : await this.conversations.findOrInsertMany(
            tx,
            pairs.map((pair) => pair.map(({ id }) => id)),
          )
    let next = 0
    return messages.map(({ to }) => {
      if ('user' in to) {
        const index = next++
        return {
          recipientId: conversations[index] as number,
          channel: undefined,
          topic: '',
          audience: { userIds: [to.user.id] },
          participants: pairs[index] as UserRow[],
        }
      }
      const channel = channels.get(to.channelId)
      if (channel === undefined) throw new Error(`There is no channel ${to.channelId}`)
      return {
        recipientId: channel.recipient_id,
        channel,
        topic: truncateTopic(to.topic),
        audience: audiences.get(channel.id) as Audience,
        participants: undefined,
      }
    })
  }

  /** The audience of each channel, by channel id; equal lists are interned once. */
  async #audiences(
    tx: Transaction,
    channels: readonly ChannelRow[],
  ): Promise<ReadonlyMap<number, Audience>> {
    const unknown = channels.filter((channel) => channel.audience_id === null)
    const receivers = await this.subscribers.listSubscriberIds(
      tx,
      unknown.map(({ id }) => id),
    )
    const hasPublic = channels.some((channel) => !channel.is_private)
    const memberAudienceId = hasPublic ? await this.activeUsers.memberAudience(tx) : null
    const interned = new Map<string, number>()
    const audiences = new Map<number, Audience>()
    for (const channel of channels) {
      const userIds = receivers.get(channel.id) ?? []
      const key = userIds.join(',')
      const audienceId =
        channel.audience_id ??
        interned.get(key) ??
        (await this.unitOfWork.audiences.intern(tx, userIds))
      if (channel.audience_id === null) interned.set(key, audienceId)
      const followerAudienceId = channel.is_private ? null : memberAudienceId
      audiences.set(channel.id, { audienceId, followerAudienceId })
    }
    return audiences
  }

  /** Renders each distinct content once. */
  async #render(
    tx: Transaction,
    author: Actor,
    contents: readonly string[],
  ): Promise<RenderedContent[]> {
    const distinct = [...new Set(contents)]
    const rendered = await this.renderer.renderAll(tx, author, distinct)
    const byContent = new Map(distinct.map((content, index) => [content, rendered[index]]))
    return contents.map((content) => byContent.get(content) as RenderedContent)
  }

  async #insertRecords(tx: Transaction, stored: readonly Stored[]): Promise<void> {
    const inChannels = stored.filter(({ place }) => place.channel !== undefined)
    const direct = stored.filter(({ place }) => place.channel === undefined)
    await this.messages.insertChannelRecords(tx, idsOf(inChannels), flaggedRecords(inChannels))
    await this.messages.insertDirectRecords(tx, idsOf(direct), flaggedRecords(direct))
    const first = new Map<number, number>()
    for (const { id, place } of inChannels) {
      if (place.channel?.first_message_id !== null || first.has(place.channel.id)) continue
      first.set(place.channel.id, id)
    }
    await this.messages.setFirstMessages(tx, first)
  }

  async #announce(tx: Transaction, bot: UserRow, stored: Stored): Promise<void> {
    const { id, content, text, flags, place } = stored
    const { channel, participants = [] } = place
    await this.announcer.announce(tx, place.audience, {
      id,
      sender: bot,
      draft: { type: 'stream', to: undefined, content, clientName },
      topic: place.topic,
      content,
      renderedContent: text.html,
      flags: { forEveryone: 0, ofUsers: flags },
      place:
        channel === undefined
          ? {
              type: 'private',
              recipient_id: place.recipientId,
              display_recipient: displayRecipient(participants, this.facts),
            }
          : {
              type: 'stream',
              stream_id: channel.id,
              recipient_id: channel.recipient_id,
              display_recipient: channel.name,
            },
    } satisfies StoredMessage)
  }
}

/** A message that is stored, but whose event is not emitted yet. */
interface Stored {
  readonly id: number
  readonly content: string
  readonly place: Place
  readonly text: RenderedContent
  readonly flags: ReadonlyMap<number, number>
}

/** Users who muted the bot get the message as read; alert words are flagged as usual. */
function recordFlags(
  { flags = new Map<number, number>() }: BotMessage,
  { participants }: Place,
  { alertedUserIds }: RenderedContent,
  muterIds: readonly number[],
): ReadonlyMap<number, number> {
  const ofUsers = new Map(flags)
  const mark = (userIds: readonly number[], flag: number): void => {
    for (const userId of userIds) {
      if (participants !== undefined && !participants.some(({ id }) => id === userId)) continue
      ofUsers.set(userId, (ofUsers.get(userId) ?? 0) | flag)
    }
  }
  mark(muterIds, MessageFlag.read)
  mark(alertedUserIds, MessageFlag.has_alert_word)
  return ofUsers
}

/** Groups messages whose user messages have the same flags. */
function flaggedRecords(stored: readonly Stored[]): FlaggedRecords[] {
  const byFlags = new Map<string, { flags: ReadonlyMap<number, number>; messageIds: number[] }>()
  for (const { id, flags } of stored) {
    if (flags.size === 0) continue
    const key = JSON.stringify([...flags])
    const known = byFlags.get(key)
    if (known === undefined) byFlags.set(key, { flags, messageIds: [id] })
    else known.messageIds.push(id)
  }
  return [...byFlags.values()].flatMap(({ flags, messageIds }) => {
    const byMask = new Map<number, number[]>()
    for (const [userId, mask] of flags) addTo(byMask, mask, userId)
    return [...byMask].map(([mask, userIds]) => ({ messageIds, userIds, mask }))
  })
}

function idsOf(stored: readonly Stored[]): number[] {
  return stored.map(({ id }) => id)
}
