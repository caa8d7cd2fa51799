import { inject } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import { badRequest } from '../../errors/index.js'
import { perServer } from '../../kernel/per-server.js'
import { UnitOfWork, type Transaction } from '../../storage/index.js'
import { ChannelAccess, ChannelAudiences, ChannelRepository } from '../channels/index.js'
import { defaultChannelsChanged } from './default-channel-events.js'

/** Decides which channels new users get. */
@perServer()
export class DefaultChannelService {
  constructor(
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(ChannelAudiences) private readonly audiences: ChannelAudiences,
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

  /** Tells everyone but guests which channels new users get. */
  async announce(tx: Transaction): Promise<void> {
    // Each event tells of all, so two changes at once must not miss each other.
    await tx.takeTurn()
    const { nonGuests } = await this.audiences.load(tx, [])
    const channels = await this.channels.listDefault(tx)
    tx.emit(defaultChannelsChanged(nonGuests, { default_streams: channels.map(({ id }) => id) }))
  }

  async #change(actor: Actor, channelId: number, isDefault: boolean): Promise<void> {
    await this.unitOfWork.run(actor.organizationId, async (tx) => {
      const found = await this.channels.lockForUser(tx, channelId, actor.userId)
      if (
        found === undefined ||
        found.channel.is_archived ||
        !(await this.access.hasMetadataAccess(actor, found))
      ) {
        throw badRequest('Invalid channel ID')
      }
      const { channel } = found
      if (isDefault && channel.is_private)
        throw badRequest('Private channels cannot be made default.')
      if (Boolean(channel.is_default) === isDefault) return
      await this.channels.update(tx, channel.id, { is_default: isDefault })
      await this.announce(tx)
    })
  }
}
