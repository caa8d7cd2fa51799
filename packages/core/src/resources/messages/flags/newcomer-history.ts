import { inject } from 'tsyringe'

import { MessageFlag } from '../../../domain/message-flags.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
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
