import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { ChannelRepository } from '../channels/index.js'
import type { NewcomerStep, UserRow } from '../../people/users/index.js'
import { SubscriberChanges } from './subscriber-changes.js'

/** Subscribes new human users to the default channels. */
@perServer()
export class DefaultSubscriptions implements NewcomerStep {
  constructor(
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(SubscriberChanges) private readonly changes: SubscriberChanges,
  ) {}

  async welcome(tx: Transaction, users: readonly UserRow[]): Promise<void> {
    const userIds = users.filter((user) => !user.is_bot && user.is_active).map(({ id }) => id)
    if (userIds.length === 0) return
    const channels = await this.channels.listDefault(tx)
    if (channels.length === 0) return
    // New users have no clients yet that need events.
    await this.changes.add(tx, { channels, userIds, usersListen: false })
  }
}
