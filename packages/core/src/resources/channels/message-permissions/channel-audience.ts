import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { ChannelRepository, type ChannelRow } from '../channels/index.js'

/** The audience of each channel: an interned list of the users who receive its messages. */
@perServer()
export class ChannelAudience {
  constructor(
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The id of the audience; cached in the channel's row until its receivers change. */
  async of(tx: Transaction, channel: Pick<ChannelRow, 'id' | 'audience_id'>): Promise<number> {
    if (channel.audience_id !== null) return channel.audience_id
    const receivers = await this.channels.listReceiverIds(tx, channel.id)
    const audienceId = await this.unitOfWork.audiences.intern(tx, receivers)
    await this.channels.update(tx, channel.id, { audience_id: audienceId })
    return audienceId
  }
}
