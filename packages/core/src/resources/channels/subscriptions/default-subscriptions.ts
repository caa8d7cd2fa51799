import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { ChannelRepository, type ChannelRow } from '../channels/index.js'
import type { Joining, NewcomerStep, UserRow } from '../../people/users/index.js'
import { SubscriberChanges } from './subscriber-changes.js'

/** Subscribes new human users to the default channels, or to those of their invitation. */
@perServer()
export class DefaultSubscriptions implements NewcomerStep {
  constructor(
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(SubscriberChanges) private readonly changes: SubscriberChanges,
  ) {}

  async welcome(tx: Transaction, users: readonly UserRow[], joining?: Joining): Promise<void> {
    const userIds = users.filter((user) => !user.is_bot && user.is_active).map(({ id }) => id)
    if (userIds.length === 0) return
    const channels = await this.#channelsFor(tx, joining)
    if (channels.length === 0) return
    // New users have no clients yet that need events.
    await this.changes.add(tx, { channels, userIds, usersListen: false })
  }

  async #channelsFor(tx: Transaction, joining: Joining | undefined): Promise<ChannelRow[]> {
    if (joining === undefined) return this.channels.listDefault(tx)
    const defaults = joining.joinsDefaultChannels ? await this.channels.listDefault(tx) : []
    const defaultIds = new Set(defaults.map(({ id }) => id))
    const named = await this.channels.findMany(tx, joining.channelIds)
    const others = named.filter(({ id, is_archived }) => !is_archived && !defaultIds.has(id))
    return [...defaults, ...others]
  }
}
