import { inject } from 'tsyringe'

import { channelPermissions } from '../../../domain/organizations/organization-settings.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { fromKeys, keysOf } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import type { OrganizationScope } from '../../../storage/index.js'
import {
  GroupSettingValues,
  PermissionGroups,
  type GroupSettingValue,
} from '../../groups/user-groups/index.js'
import { channelSettings } from './channel-rows.js'
import type { ChannelRow } from './channels-table.js'
import type { Channel } from './channel-events.js'
import { ChannelSubscriberRepository } from './channel-subscriber-repository.js'
import { ChannelTraffic } from './channel-traffic.js'

/** The names of a channel's permission settings. */
export const channelSettingNames = keysOf(channelPermissions)

type ChannelSettingValues = Pick<Channel, (typeof channelSettingNames)[number]>

/** The fields that change only with the version of the channel's row. */
export type VersionedFields = Omit<Channel, keyof ChannelSettingValues | 'stream_weekly_traffic'>

/** Converts rows of channels to the form that clients receive, many at once. */
@perServer()
export class ChannelObjects {
  constructor(
    @inject(ChannelSubscriberRepository) private readonly subscribers: ChannelSubscriberRepository,
    @inject(ChannelTraffic) private readonly traffic: ChannelTraffic,
    @inject(GroupSettingValues) private readonly settingValues: GroupSettingValues,
    @inject(PermissionGroups) private readonly groups: PermissionGroups,
  ) {}

  /** The channels on the wire, in the order of the rows. */
  async describe(scope: OrganizationScope, rows: readonly ChannelRow[]): Promise<Channel[]> {
    if (rows.length === 0) return []
    const valueOf = await this.settingValues.reader(scope)
    const versioned = await this.versionedFields(scope, rows)
    const trafficOf = await this.traffic.reader(scope)
    const yielder = new EventLoopYielder()
    const described: Channel[] = []
    for (const [index, row] of rows.entries()) {
      if (yielder.isDue) await yielder.yield()
      described.push({
        ...present(versioned[index], 'the fields of each row'),
        ...settingsOnWire(row, valueOf),
        stream_weekly_traffic: trafficOf(row),
      })
    }
    return described
  }

  /** In the order of the rows. */
  async versionedFields(
    scope: OrganizationScope,
    rows: readonly ChannelRow[],
  ): Promise<VersionedFields[]> {
    if (rows.length === 0) return []
    const counts = await this.subscribers.countSubscribers(
      scope,
      rows.map(({ id }) => id),
    )
    const policyOf = await this.postPolicies(scope.organizationId)
    const yielder = new EventLoopYielder()
    const fields: VersionedFields[] = []
    for (const row of rows) {
      if (yielder.isDue) await yielder.yield()
      const policy = policyOf(channelSettings(row).can_send_message_group)
      fields.push({
        stream_id: row.id,
        name: row.name,
        is_archived: row.is_archived,
        description: row.description,
        rendered_description: row.rendered_description,
        date_created: row.created_at_seconds,
        creator_id: row.creator_id,
        invite_only: row.is_private,
        is_web_public: row.is_web_public,
        history_public_to_subscribers: row.is_history_shared,
        stream_post_policy: policy,
        is_announcement_only: policy === 2,
        message_retention_days: row.message_retention_days,
        topics_policy: row.topics_policy,
        first_message_id: row.first_message_id,
        folder_id: row.folder_id,
        is_recently_active: row.is_recently_active,
        subscriber_count: counts.get(row.id) ?? 0,
      })
    }
    return fields
  }

  /**
   * @returns a function from the group that may post to the deprecated number that represents it.
   */
  async postPolicies(organizationId: number): Promise<(groupId: number) => number> {
    const graph = await this.groups.graph(organizationId)
    const policies = new Map([
      [graph.systemGroupId('role:administrators'), 2],
      [graph.systemGroupId('role:fullmembers'), 3],
      [graph.systemGroupId('role:moderators'), 4],
    ])
    return (groupId) => policies.get(groupId) ?? 1
  }
}

/** A channel's permission settings on the wire. */
export function settingsOnWire(
  channel: Pick<ChannelRow, 'settings'>,
  valueOf: (groupId: number) => GroupSettingValue,
): ChannelSettingValues {
  const settings = channelSettings(channel)
  return fromKeys(channelSettingNames, (name) => valueOf(settings[name]))
}
