import { inject } from 'tsyringe'

import { isGuest, type Role } from '../../domain/actor.js'
import { addTo, shareLists } from '../../kernel/grouping.js'
import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import { ChannelAudiences, type ChannelRow } from '../channels/index.js'
import { EventTexts } from '../event-queues/index.js'
import { isHistoryProtected, type MessageRow } from '../message-access/index.js'
import { UserRepository } from '../users/index.js'
import { messagesDeleted } from './message-edit-events.js'
import { MessageEditRepository } from './message-edit-repository.js'
import { crossesChannels, type TopicDestination } from './topic-move.js'

/** Who hears of messages that moved. */
export interface MoveAudience {
  readonly userIds: readonly number[]
  /** Those of the users who may read the new place, of all that there are. */
  readonly reachable: (userIds: readonly number[]) => ReadonlySet<number>
}

/** Keeps personal histories in step with messages that move to other channels. */
@perServer()
export class MovedRecords {
  constructor(
    @inject(ChannelAudiences) private readonly audiences: ChannelAudiences,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(MessageEditRepository) private readonly edits: MessageEditRepository,
    @inject(EventTexts) private readonly texts: EventTexts,
  ) {}

  /**
   * Takes moved messages from those who do not follow them, and tells those who could read them.
   *
   * @returns who is to hear that the messages have moved.
   */
  async follow(
    tx: Transaction,
    message: MessageRow,
    messageIds: readonly number[],
    to: TopicDestination,
  ): Promise<MoveAudience> {
    const [source, target] = [to.source.channel, to.channel.channel]
    const audience = await this.audiences.load(tx, [source, target])
    const owners = await this.edits.listRecordOwners(tx, messageIds)
    const receivers = new Set(audience.subscribers(target.id))
    const could = audience.readers(source)
    const sourceReceivers = audience.subscribers(source.id)
    const readers = audience.readers(target)
    // Whoever leaves a channel behind needs a subscription to follow into a private one.
    const needsSubscription = crossesChannels(to) && Boolean(target.is_private)
    const follows = (id: number): boolean => (needsSubscription ? receivers : readers).has(id)
    const reachable = (userIds: readonly number[]): ReadonlySet<number> =>
      new Set(userIds.filter(follows))
    // Whoever has left a private channel is not told either where its messages go.
    const witnesses = owners.filter((id) => could.has(id) || receivers.has(id))
    const followers = [
      ...witnesses,
      ...(isHistoryProtected(source) ? [] : sourceReceivers),
      ...(!isHistoryProtected(target) || crossesChannels(to) ? receivers : []),
    ]
    if (crossesChannels(to)) {
      const leaving = [...new Set([...owners, ...sourceReceivers])].filter(
        (userId) => !receivers.has(userId),
      )
      const losers = leaving.filter((id) => could.has(id) && !follows(id))
      await this.texts.withdraw(tx, messageIds, losers, Boolean(target.is_private))
      await this.#tellLosers(tx, message, messageIds, source, losers)
      await this.edits.deleteRecords(tx, messageIds, leaving, target.id)
      if (isHistoryProtected(target)) await this.edits.insertReadRecords(tx, messageIds, target.id)
    }
    // For guests who come to the messages through the new channel alone, they are no news.
    const newcomers = [...receivers].filter((id) => !could.has(id))
    const strangers = await this.#guestsAmong(tx, crossesChannels(to) ? newcomers : [])
    const userIds = [...reachable([...new Set(followers)])].filter((id) => !strangers.has(id))
    return { userIds: userIds.sort((a, b) => a - b), reachable }
  }

  /** Of messages that not everybody could read, each one hears of what they had. */
  async #tellLosers(
    tx: Transaction,
    message: MessageRow,
    messageIds: readonly number[],
    source: ChannelRow,
    losers: readonly number[],
  ): Promise<void> {
    if (losers.length === 0) return
    const place = { channelId: source.id, topic: message.topic }
    if (!isHistoryProtected(source)) {
      tx.emit(messagesDeleted({ userIds: losers }, { messageIds, place }))
      return
    }
    const own = new Map<number, number[]>()
    for (const row of await this.edits.listRecordsOf(tx, messageIds, losers)) {
      addTo(own, row.user_id, row.message_id)
    }
    for (const { keys: userIds, items: ids } of shareLists(own, (id) => id)) {
      tx.emit(messagesDeleted({ userIds }, { messageIds: ids, place }))
    }
  }

  async #guestsAmong(tx: Transaction, userIds: readonly number[]): Promise<ReadonlySet<number>> {
    const users: readonly { id: number; role: Role }[] = await this.users.findMany(tx, userIds)
    return new Set(users.filter(isGuest).map(({ id }) => id))
  }
}
