import { inject } from 'tsyringe'

import { GroupGraph } from '../../../domain/organizations/permission-groups.js'
import { addTo, shareLists, type SharedList } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import {
  UserGroupRepository,
  type FullMemberChange,
  type GroupChangeStep,
} from '../../groups/user-groups/index.js'
import {
  ChannelAudiences,
  ChannelObjects,
  ChannelRepository,
  channelsDeleted,
  channelSettings,
  type ChannelAudience,
  type ChannelRow,
} from '../channels/index.js'
import { emitNewlyVisible } from './subscriber-announcements.js'

/**
 * Sends users events for private channels that they can or can no longer see because of a group
 * membership. The number of statements does not depend on the number of users and channels.
 */
@perServer()
export class GroupChannels implements GroupChangeStep {
  constructor(
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAudiences) private readonly audiences: ChannelAudiences,
    @inject(ChannelObjects) private readonly objects: ChannelObjects,
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
  ) {}

  async changing(tx: Transaction, groupId: number): Promise<(() => Promise<void>) | undefined> {
    return this.#changing(tx, groupId)
  }

  async aging(
    tx: Transaction,
    fullMembersId: number,
    { entered, left }: FullMemberChange,
  ): Promise<(() => Promise<void>) | undefined> {
    const before = { entered: left, left: entered }
    return this.#changing(tx, fullMembersId, before, { entered, left })
  }

  /**
   * @param thenFull how the full members before the change differ from those that the clock and the
   *   settings imply.
   */
  async #changing(
    tx: Transaction,
    groupId: number,
    thenFull?: FullMemberChange,
    nowFull?: FullMemberChange,
  ): Promise<(() => Promise<void>) | undefined> {
    const channels = await this.#channelsOf(tx, groupId)
    if (channels.length === 0) return undefined
    const before = idsOf(
      await this.audiences.load(tx, channels, { fullMembers: thenFull }),
      channels,
    )
    return async () => {
      const audience = await this.audiences.load(tx, channels, { fullMembers: nowFull })
      const after = idsOf(audience, channels)
      await this.#emitAppeared(tx, audience, newlyVisible(channels, after, before))
      for (const { keys: userIds, items: gone } of newlyVisible(channels, before, after)) {
        tx.emit(channelsDeleted({ userIds }, { channelIds: gone.map(({ id }) => id) }))
      }
    }
  }

  async #emitAppeared(
    tx: Transaction,
    audience: ChannelAudience,
    appeared: readonly VisibleChannels[],
  ): Promise<void> {
    const rows = [...new Set(appeared.flatMap(({ items }) => items))]
    const described = new Map(
      (await this.objects.describe(tx, rows)).map((object) => [object.stream_id, object]),
    )
    for (const { keys: userIds, items } of appeared) {
      const objects = items.flatMap(({ id }) => described.get(id) ?? [])
      emitNewlyVisible(tx, { userIds }, objects, (id) => audience.subscribers(id))
    }
  }

  /** The private channels whose settings let the members of the group see them. */
  async #channelsOf(tx: Transaction, groupId: number): Promise<ChannelRow[]> {
    const all = await this.channels.listPrivate(tx)
    if (all.length === 0) return []
    const graph = new GroupGraph([], await this.groups.listSubgroups(tx))
    const concerned = graph.containing([groupId])
    return all.filter((channel) => {
      const settings = channelSettings(channel)
      return [
        settings.can_administer_channel_group,
        settings.can_add_subscribers_group,
        settings.can_subscribe_group,
      ].some((id) => concerned.has(id))
    })
  }
}

type IdsByChannel = ReadonlyMap<number, ReadonlySet<number>>

function idsOf(audience: ChannelAudience, channels: readonly ChannelRow[]): IdsByChannel {
  return new Map(channels.map((channel) => [channel.id, new Set(audience.observers(channel).ids)]))
}

/** Users and the channels that all of them can see now, or can no longer see. */
type VisibleChannels = SharedList<number, ChannelRow>

/** Per user, the channels that are visible in `now` and not in `then`. */
function newlyVisible(
  channels: readonly ChannelRow[],
  now: IdsByChannel,
  then: IdsByChannel,
): VisibleChannels[] {
  const byUser = new Map<number, ChannelRow[]>()
  for (const channel of channels) {
    for (const userId of now.get(channel.id) ?? []) {
      if (then.get(channel.id)?.has(userId) === true) continue
      addTo(byUser, userId, channel)
    }
  }
  return shareLists(byUser, ({ id }) => id)
}
