import { inject } from 'tsyringe'

import { shareLists } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { UnitOfWork, type AudienceChange, type Transaction } from '../../../storage/index.js'
import { ChannelSubscriberRepository, type ChannelRow } from '../channels/index.js'
import { MessageAudienceRepository } from './message-audience-repository.js'

type ChannelWithAudience = Pick<ChannelRow, 'id' | 'audience_id'>

/** Of a list of ids, as it is stored: some thousand users. */
const longListCharacters = 10_000

/** The audiences of messages in channels: interned lists of the users who receive a channel. */
@perServer()
export class MessageAudiences {
  constructor(
    @inject(MessageAudienceRepository) private readonly rows: MessageAudienceRepository,
    @inject(ChannelSubscriberRepository) private readonly subscribers: ChannelSubscriberRepository,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The id of the audience; cached in the channel's row until its receivers change. */
  async of(tx: Transaction, channel: ChannelWithAudience): Promise<number> {
    return present((await this.ofAll(tx, [channel])).get(channel.id), 'the audience')
  }

  /**
   * Notes that users begin or cease to receive channels. Short lists are built again when they are
   * needed; long ones are derived, because reading all subscribers would take long.
   */
  async change(tx: Transaction, changes: ReadonlyMap<number, AudienceChange>): Promise<void> {
    const derived = new Map<string, { audienceId: number; channelIds: number[] }>()
    const forgotten: number[] = []
    const longIds = await this.rows.longAudiences(tx, [...changes.keys()], longListCharacters)
    for (const [channelId, change] of changes) {
      const before = longIds.get(channelId)
      if (before === undefined) {
        forgotten.push(channelId)
        continue
      }
      const key = JSON.stringify([before, change])
      const known = derived.get(key)
      if (known !== undefined) known.channelIds.push(channelId)
      else {
        const audienceId = await this.unitOfWork.audiences.derive(tx, before, change)
        if (audienceId === null) forgotten.push(channelId)
        else derived.set(key, { audienceId, channelIds: [channelId] })
      }
    }
    await this.rows.changeAudience(tx, forgotten, null)
    for (const { audienceId, channelIds } of derived.values()) {
      await this.rows.changeAudience(tx, channelIds, audienceId)
    }
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
      await this.rows.cacheAudience(tx, channelIds, audienceId)
      for (const id of channelIds) audienceIds.set(id, audienceId)
    }
    return audienceIds
  }
}
