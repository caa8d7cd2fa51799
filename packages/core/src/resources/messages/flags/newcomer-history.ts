import { inject } from 'tsyringe'

import { MessageFlag } from '../../../domain/messages/message-flags.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import type { Transaction } from '../../../storage/index.js'
import type { NewcomerStep, UserRow } from '../../people/users/index.js'
import { NewcomerHistoryRepository } from './newcomer-history-repository.js'

/** Maximum number of earlier messages that a new user gets. */
const maxMessages = 1000
/** The number of these messages that are unread. */
const unreadMessages = 20
/** Maximum age of these messages: twelve weeks. */
const maxAgeSeconds = 12 * 7 * 86_400

/**
 * Gives each new human user the recent messages of the public channels that they were subscribed
 * to, so that their history is not empty. All but the newest messages are flagged as read.
 */
@perServer()
export class NewcomerHistory implements NewcomerStep {
  constructor(
    @inject(NewcomerHistoryRepository) private readonly histories: NewcomerHistoryRepository,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  async welcome(tx: Transaction, users: readonly UserRow[]): Promise<void> {
    const userIds = users.filter((user) => !user.is_bot && user.is_active).map(({ id }) => id)
    const since = nowSeconds(this.clock) - maxAgeSeconds
    for (const alike of await this.#withEqualChannels(tx, userIds)) {
      const newestFirst = await this.histories.listNewestIds(
        tx,
        alike.channelIds,
        since,
        maxMessages,
      )
      const unread = newestFirst.slice(0, unreadMessages)
      const read = newestFirst.slice(unreadMessages)
      const { historical } = MessageFlag
      await this.histories.insert(tx, alike.userIds, unread, historical)
      await this.histories.insert(tx, alike.userIds, read, historical | MessageFlag.read)
    }
  }

  /** Users who were created together are usually subscribed to the same channels. */
  async #withEqualChannels(
    tx: Transaction,
    userIds: readonly number[],
  ): Promise<{ readonly channelIds: readonly number[]; readonly userIds: readonly number[] }[]> {
    const channelsByUser = new Map<number, number[]>()
    for (const { user_id, id } of await this.histories.listPublicChannels(tx, userIds)) {
      addTo(channelsByUser, user_id, id)
    }
    const usersByChannels = new Map<string, number[]>()
    for (const [userId, channelIds] of channelsByUser) {
      addTo(usersByChannels, channelIds.join(','), userId)
    }
    return [...usersByChannels].map(([channelIds, alike]) => ({
      channelIds: channelIds.split(',').map(Number),
      userIds: alike,
    }))
  }
}
