import { inject } from 'tsyringe'

import { shareLists } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import {
  ChannelRepository,
  ChannelSubscriberRepository,
  type ChannelRow,
} from '../channels/index.js'

type ChannelWithAudience = Pick<ChannelRow, 'id' | 'audience_id'>

/** The audiences of messages in channels: interned lists of the users who receive a channel. */
@perServer()
export class MessageAudiences {
  constructor(
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelSubscriberRepository) private readonly subscribers: ChannelSubscriberRepository,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The id of the audience; cached in the channel's row until its receivers change. */
  async of(tx: Transaction, channel: ChannelWithAudience): Promise<number> {
    return present((await this.ofAll(tx, [channel])).get(channel.id), 'the audience')
  }

  /** The id of each channel's audience, by channel id. Equal lists are interned once. */
  async ofAll(
    tx: Transaction,
    channels: readonly ChannelWithAudience[],
  ): Promise<ReadonlyMap<number, number>> {
    const audienceIds = new Map<number, number>()
    const uncached: number[] = []
    for (const { id, audience_id } of channels) {
      if (audience_id === null) uncached.push(id)
      else audienceIds.set(id, audience_id)
    }
    const subscribers = await this.subscribers.listSubscriberIds(tx, uncached)
    const receivers = new Map(uncached.map((id) => [id, subscribers.get(id) ?? []]))
    for (const { keys: channelIds, items: userIds } of shareLists(receivers, (id) => id)) {
      const audienceId = await this.unitOfWork.audiences.intern(tx, userIds)
      await this.channels.cacheAudience(tx, channelIds, audienceId)
      for (const id of channelIds) audienceIds.set(id, audienceId)
    }
    return audienceIds
  }
}
