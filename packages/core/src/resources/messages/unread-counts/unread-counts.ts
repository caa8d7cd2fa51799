import { inject } from 'tsyringe'

import { plainTextOf, shortened } from '../../../domain/texts/plain-text.js'
import { Role } from '../../../domain/users/actor.js'
import { forEachInSlices } from '../../../kernel/event-loop-yielder.js'
import { groupBy } from '../../../kernel/grouping.js'
import { knownOptions } from '../../../kernel/known-options.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import {
  ApplicationChannelRepository,
  requireChannelId,
} from '../../channels/application-channels/index.js'
import {
  atMost,
  ExternalReferences,
  type ExternalUser,
  UsersAndSystemBots,
} from '../../people/users/index.js'
import { type UnreadPlace, UnreadPlaceRepository } from '../flags/index.js'
import {
  type FirstParticipant,
  type UnreadChannelRow,
  UnreadMessageRepository,
} from './unread-message-repository.js'
import type {
  UnreadChannel,
  UnreadConversation,
  UnreadMessage,
  UnreadOptions,
  UnreadPerson,
  UserUnread,
} from './user-unread.js'

/**
 * The text of a message from the beginning of its HTML.
 *
 * @param maxHtmlLength above it the HTML was cut off.
 * @param maxLength of the text, in characters.
 */
function beginningOfText(html: string, maxHtmlLength: number, maxLength: number): string {
  if ([...html].length < maxHtmlLength) return shortened(plainTextOf(html), maxLength)
  const text = plainTextOf(withoutPart(html))
  return text.length > maxLength ? shortened(text, maxLength) : `${text}…`
}

/** Removes a tag or a character reference that is cut off at the end. */
function withoutPart(html: string): string {
  const start = html.lastIndexOf('<')
  const ofTags = start > html.lastIndexOf('>') ? html.slice(0, start) : html
  return ofTags.replace(/&[^;\s]{0,40}$/u, '')
}

const call = 'chat.users.unread'
/** Of users, and of channels, in a call. */
const maxIds = 100
/** Of the channels, and of the conversations, of a user. */
const maxPlaces = 100
const maxPeople = 20
const maxTextLength = 200
/** Enough for the text of most messages; a result has up to 20,000 of them. */
const maxHtmlLength = 2000

type LastMessage = UnreadMessage & { readonly topic: string }

/** What is known of the places of a result. */
interface Details {
  readonly messages: ReadonlyMap<number, LastMessage>
  readonly channels: ReadonlyMap<number, UnreadChannelRow>
  readonly participants: ReadonlyMap<number, readonly FirstParticipant[]>
  readonly people: ReadonlyMap<number, UnreadPerson>
}

/** Counts unread messages for the application, by its own ids. */
@perServer()
export class UnreadCounts {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(ExternalReferences) private readonly references: ExternalReferences,
    @inject(UsersAndSystemBots) private readonly users: UsersAndSystemBots,
    @inject(ApplicationChannelRepository) private readonly channels: ApplicationChannelRepository,
    @inject(UnreadPlaceRepository) private readonly places: UnreadPlaceRepository,
    @inject(UnreadMessageRepository) private readonly messages: UnreadMessageRepository,
  ) {}

  /**
   * The unread messages of the users who have an active account, by the application's ids. The
   * number of statements depends neither on the number of users nor on that of their channels.
   */
  async of(
    applicationUserIds: readonly (string | number)[],
    options: UnreadOptions = {},
  ): Promise<Map<string, UserUnread>> {
    knownOptions(call, options, { organization: true, channels: true })
    const channels = options.channels && atMost(call, 'channels', options.channels, maxIds)
    const externalChannelIds = channels?.map((id) => requireChannelId(call, id))
    const { organizationId, users } = await this.references.listActive(
      call,
      applicationUserIds,
      maxIds,
      options,
    )
    const scope = this.database.read(organizationId)
    const channelIds =
      externalChannelIds && (await this.channels.listIds(scope, externalChannelIds))
    const userIds = users.map(({ id }) => id)
    const places = await this.places.countUnread(scope, { userIds, channelIds, maxPlaces })
    const details = await this.#details(scope, places)
    const ofUser = groupBy(places, ({ userId }) => userId)
    return new Map(
      users.map((user) => [user.external_id, unreadOf(user, ofUser.get(user.id) ?? [], details)]),
    )
  }

  async #details(scope: OrganizationScope, places: readonly UnreadPlace[]): Promise<Details> {
    const direct = places.filter(({ channelId }) => channelId === null)
    const messageIds = [...new Set(places.map(({ newestMessageId }) => newestMessageId))]
    const channelIds = new Set(places.flatMap(({ channelId }) => channelId ?? []))
    const recipientIds = new Set(direct.map(({ recipientId }) => recipientId))
    const [messages, channels, participants] = await scope.readTogether(
      () => this.messages.listMessages(scope, messageIds, maxHtmlLength),
      () => this.messages.listChannels(scope, [...channelIds]),
      // One more, because the user is not listed.
      () => this.messages.listParticipants(scope, [...recipientIds], maxPeople + 1),
    )
    const peopleIds = new Set([
      ...messages.map(({ sender_id }) => sender_id),
      ...participants.map(({ user_id }) => user_id),
    ])
    const rows = await this.users.findViewable(scope, [...peopleIds])
    const people = new Map(
      rows.map(({ id, external_id, full_name }) => [
        id,
        { id, externalId: external_id, fullName: full_name },
      ]),
    )
    const lastMessages = new Map<number, LastMessage>()
    await forEachInSlices(messages, ({ id, sender_id, topic, sent_at_seconds, html }) => {
      const sender = people.get(sender_id)
      if (sender === undefined) return
      const text = beginningOfText(html, maxHtmlLength, maxTextLength)
      lastMessages.set(id, { id, text, sender, sentAtSeconds: sent_at_seconds, topic })
    })
    return {
      people,
      channels: new Map(channels.map((channel) => [channel.id, channel])),
      participants: groupBy(participants, ({ recipient_id }) => recipient_id),
      messages: lastMessages,
    }
  }
}

function unreadOf(
  user: ExternalUser,
  places: readonly UnreadPlace[],
  details: Details,
): UserUnread {
  const { count, mentions, direct } = places[0]?.all ?? { count: 0, mentions: 0, direct: 0 }
  return {
    total: count,
    mentions,
    channels: places.flatMap((place) => channelOf(user, place, details)),
    directMessages: {
      count: direct,
      conversations: places
        .filter(({ channelId }) => channelId === null)
        .map((place) => conversationOf(user, place, details)),
    },
  }
}

/** The channel of a place; none for a conversation, and for a channel that the user cannot read. */
function channelOf(
  { role }: ExternalUser,
  { channelId, isSubscribed, newestMessageId, ...counts }: UnreadPlace,
  { channels, messages }: Details,
): UnreadChannel[] {
  const channel = channels.get(channelId ?? 0)
  if (channel === undefined) return []
  const { id, external_id, name, is_private, is_web_public } = channel
  // Who was never subscribed has user messages of what was moved to the channel.
  if (!isSubscribed && !is_web_public && (is_private || role === Role.guest)) return []
  const { count, mutedCount, mentions } = counts
  const lastMessage = messages.get(newestMessageId) ?? null
  return [{ id, externalId: external_id, name, count, mutedCount, mentions, lastMessage }]
}

function conversationOf(
  user: ExternalUser,
  { recipientId, count, mentions, newestMessageId }: UnreadPlace,
  { participants, people, messages }: Details,
): UnreadConversation {
  const members = participants.get(recipientId) ?? []
  const userCount = members[0]?.participant_count ?? 0
  const others = members.filter(({ user_id }) => user_id !== user.id || userCount === 1)
  const message = messages.get(newestMessageId)
  return {
    users: others.slice(0, maxPeople).flatMap(({ user_id }) => people.get(user_id) ?? []),
    userCount,
    count,
    mentions,
    lastMessage: message === undefined ? null : withoutTopic(message),
  }
}

function withoutTopic({ topic: _, ...message }: LastMessage): UnreadMessage {
  return message
}
