import { inject } from 'tsyringe'

import { filterInSlices, setInSlices } from '../../../kernel/event-loop-yielder.js'
import { addTo, shareLists } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import {
  ChannelAudiences,
  ChannelSubscriberRepository,
  type ChannelRow,
} from '../../channels/channels/index.js'
import { EventTexts } from '../../realtime/event-queues/index.js'
import {
  isHistoryProtected,
  MessageReceiverRepository,
  type MessageRow,
} from '../../channels/message-permissions/index.js'
import { messagesDeleted } from './message-edit-events.js'
import { UserMessageRepository } from './user-message-repository.js'
import { crossesChannels, type TopicDestination } from './topic-move.js'

/** The recipients of the events about a move. */
export interface MoveAudience {
  readonly userIds: readonly number[]
  /** Filters users: returns those who may read the destination. */
  readonly reachable: (userIds: readonly number[]) => ReadonlySet<number>
}

/** The users who have received messages before they move. */
interface MovedReceivers {
  readonly userIds: readonly number[]
  /** The messages of each user; only of a channel with protected history. */
  readonly messageIds: ReadonlyMap<number, readonly number[]>
}

interface MovedMessages {
  readonly message: MessageRow
  readonly messageIds: readonly number[]
  readonly received: MovedReceivers
}

/** Updates the user messages of messages that move to other channels. */
@perServer()
export class MovedUserMessages {
  constructor(
    @inject(ChannelAudiences) private readonly audiences: ChannelAudiences,
    @inject(ChannelSubscriberRepository) private readonly subscribers: ChannelSubscriberRepository,
    @inject(MessageReceiverRepository) private readonly messageReceivers: MessageReceiverRepository,
    @inject(UserMessageRepository) private readonly userMessages: UserMessageRepository,
    @inject(EventTexts) private readonly texts: EventTexts,
  ) {}

  /** To be called before the messages move. */
  async receivers(
    tx: Transaction,
    messageIds: readonly number[],
    { source: { channel } }: TopicDestination,
  ): Promise<MovedReceivers> {
    const place = { channelId: channel.id, ids: messageIds }
    if (!isHistoryProtected(channel)) {
      return { userIds: await this.messageReceivers.listIds(tx, place), messageIds: new Map() }
    }
    const byUser = new Map<number, number[]>()
    for (const row of await this.messageReceivers.list(tx, place)) {
      addTo(byUser, row.user_id, row.message_id)
    }
    return { userIds: [...byUser.keys()], messageIds: byUser }
  }

  /**
   * Deletes the user messages of users who do not receive the new channel, and sends deletion
   * events to those who lose access.
   *
   * @param received of {@link receivers}.
   * @returns the recipients of the events about the move.
   */
  async follow(
    tx: Transaction,
    message: MessageRow,
    messageIds: readonly number[],
    to: TopicDestination,
    received: MovedReceivers,
  ): Promise<MoveAudience> {
    const [source, target] = [to.source.channel, to.channel.channel]
    const audience = await this.audiences.load(tx, [source, target], { withSubscribers: true })
    const usersWithMessages = received.userIds
    const targetReceivers = await setInSlices(audience.subscribers(target.id))
    const sourceReaders = audience.readers(source)
    const sourceReceivers = audience.subscribers(source.id)
    const targetReaders = audience.readers(target)
    // After a move into a private channel, only its subscribers keep the messages.
    const needsSubscription = crossesChannels(to) && target.is_private
    const keepsAccess = (id: number): boolean =>
      (needsSubscription ? targetReceivers : targetReaders).has(id)
    const reachable = (userIds: readonly number[]): ReadonlySet<number> =>
      new Set(userIds.filter(keepsAccess))
    // Users who have left a private channel get no events about where its messages move.
    const remainingUsers = await filterInSlices(
      usersWithMessages,
      (id) => sourceReaders.has(id) || targetReceivers.has(id),
    )
    const followers = await setInSlices(
      remainingUsers,
      isHistoryProtected(source) ? [] : sourceReceivers,
      !isHistoryProtected(target) || crossesChannels(to) ? targetReceivers : [],
    )
    if (crossesChannels(to)) {
      const receivers = await setInSlices(usersWithMessages, sourceReceivers)
      const leaving = await filterInSlices(receivers, (id) => !targetReceivers.has(id))
      const usersWithoutAccess = await filterInSlices(
        leaving,
        (id) => sourceReaders.has(id) && !keepsAccess(id),
      )
      await this.texts.withdraw(tx, messageIds, usersWithoutAccess, target.is_private)
      await this.#sendRemovals(tx, { message, messageIds, received }, source, usersWithoutAccess)
      await this.userMessages.delete(tx, messageIds, leaving, target.id)
      if (isHistoryProtected(target)) await this.userMessages.insertRead(tx, messageIds, target.id)
    }
    // Guests who gain access only through the new channel get no event about the move.
    const guests = await this.subscribers.listGuestIds(tx, crossesChannels(to) ? [target.id] : [])
    const newGuests = new Set((guests.get(target.id) ?? []).filter((id) => !sourceReaders.has(id)))
    const userIds = await filterInSlices(followers, (id) => keepsAccess(id) && !newGuests.has(id))
    return { userIds: userIds.sort((a, b) => a - b), reachable }
  }

  /** In a channel with protected history, users get an event only for messages they received. */
  async #sendRemovals(
    tx: Transaction,
    { message, messageIds, received }: MovedMessages,
    source: ChannelRow,
    userIds: readonly number[],
  ): Promise<void> {
    if (userIds.length === 0) return
    const place = { channelId: source.id, topic: message.topic }
    if (!isHistoryProtected(source)) {
      tx.emit(messagesDeleted({ userIds }, { messageIds, place }))
      return
    }
    const concerned = new Set(userIds)
    const idsByUser = new Map([...received.messageIds].filter(([id]) => concerned.has(id)))
    for (const { keys: recipientIds, items: ids } of shareLists(idsByUser, (id) => id)) {
      tx.emit(messagesDeleted({ userIds: recipientIds }, { messageIds: ids, place }))
    }
  }
}
