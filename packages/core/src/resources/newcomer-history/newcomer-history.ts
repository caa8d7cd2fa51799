import { inject } from 'tsyringe'

import { MessageFlag } from '../../domain/message-flags.js'
import { nowSeconds, type Clock } from '../../kernel/clock.js'
import { perServer } from '../../kernel/per-server.js'
import { ClockToken } from '../../kernel/tokens.js'
import type { Transaction } from '../../storage/index.js'
import type { NewcomerStep, UserRow } from '../users/index.js'
import { NewcomerHistoryRepository } from './newcomer-history-repository.js'

/** How much of what was said before they came newcomers find in their history. */
const maxMessages = 1000
/** How many of these wait to be read. */
const unreadMessages = 20
/** How far back they go: twelve weeks. */
const maxAgeSeconds = 12 * 7 * 86_400

/**
 * Gives every new human the recent messages of the public channels that they were subscribed to, so
 * that nobody begins in an empty house. Everything but the newest is read.
 */
@perServer()
export class NewcomerHistory implements NewcomerStep {
  constructor(
    @inject(NewcomerHistoryRepository) private readonly histories: NewcomerHistoryRepository,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  async welcome(tx: Transaction, user: UserRow): Promise<void> {
    if (user.is_bot || !user.is_active) return
    const channelIds = await this.histories.listPublicChannelIds(tx, user.id)
    const since = nowSeconds(this.clock) - maxAgeSeconds
    const newestFirst = await this.histories.listNewestIds(tx, channelIds, since, maxMessages)
    const [unread, read] = [newestFirst.slice(0, unreadMessages), newestFirst.slice(unreadMessages)]
    const { historical } = MessageFlag
    await this.histories.insert(tx, user.id, unread, historical)
    await this.histories.insert(tx, user.id, read, historical | MessageFlag.read)
  }
}
