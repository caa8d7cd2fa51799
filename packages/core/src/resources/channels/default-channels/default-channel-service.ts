import { inject } from 'tsyringe'

import { Quotas } from '../../../domain/quotas.js'
import { isGuest, Role, type Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { ActiveUsers } from '../../organization/organizations/index.js'
import type { AccountStep, UserRow } from '../../people/users/index.js'
import { ChannelAccess, ChannelRepository } from '../channels/index.js'
import { defaultChannelsChanged } from './default-channel-events.js'

/** Manages the default channels of new users. */
@perServer()
export class DefaultChannelService implements AccountStep {
  constructor(
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws {ChatError} `BAD_REQUEST` if there is no such active channel, or it is private. */
  async add(actor: Actor, channelId: number): Promise<void> {
    await this.#change(actor, channelId, true)
  }

  /** @throws {ChatError} `BAD_REQUEST` if there is no such active channel. */
  async remove(actor: Actor, channelId: number): Promise<void> {
    await this.#change(actor, channelId, false)
  }

  /** Sends the default channels to all active users except guests. */
  async announce(tx: Transaction): Promise<void> {
    await this.#announce(tx, await this.#list(tx))
  }

  /**
   * Like {@link announce}, after default channels were added.
   *
   * @throws {ChatError} `BAD_REQUEST` if there are too many.
   */
  async announceAdded(tx: Transaction): Promise<void> {
    const ids = await this.#list(tx)
    this.quotas.require('defaultChannelsPerOrganization', ids.length)
    await this.#announce(tx, ids)
  }

  async #announce(tx: Transaction, ids: readonly number[]): Promise<void> {
    const audienceId = await this.activeUsers.memberAudience(tx)
    tx.emit(defaultChannelsChanged({ audienceId }, { default_streams: ids }))
  }

  /**
   * Guests receive no default channels: the list is sent to users who become or cease to be guests.
   */
  async roleChanged(tx: Transaction, user: UserRow, oldRole: Role): Promise<void> {
    if (!user.is_active || isGuest(user) === (oldRole === Role.guest)) return
    const ids = await this.#list(tx)
    if (ids.length === 0) return
    const default_streams = isGuest(user) ? [] : ids
    tx.emit(defaultChannelsChanged({ userIds: [user.id] }, { default_streams }))
  }

  async #list(tx: Transaction): Promise<number[]> {
    const channels = await this.channels.listDefault(tx)
    return channels.map(({ id }) => id)
  }

  async #change(actor: Actor, channelId: number, isDefault: boolean): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const found = await this.channels.lockForUser(tx, channelId, actor.userId)
      if (
        found === undefined ||
        found.channel.is_archived ||
        !(await this.access.hasMetadataAccess(actor, found))
      ) {
        throw badRequest('CHANNEL_ID_INVALID')
      }
      const { channel } = found
      if (isDefault && channel.is_private) throw badRequest('PRIVATE_CHANNEL_NOT_DEFAULT')
      if (channel.is_default === isDefault) return
      await this.channels.update(tx, channel.id, { is_default: isDefault })
      const changes = { is_default: { old: channel.is_default, new: isDefault } }
      tx.audit({ action: 'channel.updated', objectId: channel.id, changes })
      await (isDefault ? this.announceAdded(tx) : this.announce(tx))
    })
  }
}
