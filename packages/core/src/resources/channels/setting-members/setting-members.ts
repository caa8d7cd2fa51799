import { inject } from 'tsyringe'

import type { Audience } from '../../../events/event.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import {
  ChannelAudiences,
  ChannelRepository,
  channelSettings,
  channelUpdated,
} from '../channels/index.js'
import {
  ActiveUsers,
  OrganizationRepository,
  organizationStateOf,
  realmSettingsUpdated,
} from '../../organization/organizations/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import {
  GroupSettingValues,
  UserGroupRepository,
  userGroupUpdated,
  type GroupSettingValue,
} from '../../groups/user-groups/index.js'
import type { AccountStep, UserRow } from '../../people/users/index.js'
import { SettingHolderRepository } from './setting-holder-repository.js'

/** A setting that names a user directly, and its current value on the wire. */
type NamingSetting = readonly [name: string, value: GroupSettingValue]

/** Returns those of a holder's settings that name one user directly. */
type NamingSettings = (settings: Readonly<Record<string, number>>) => NamingSetting[]

/**
 * Sends events about the settings of groups, channels and the organization that name a user who is
 * deactivated or reactivated. After a deactivation, only guests who cannot access the user get
 * events: the other clients compute the new values. The number of statements does not depend on the
 * number of settings.
 */
@perServer()
export class SettingMembers implements AccountStep {
  constructor(
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(SettingHolderRepository) private readonly holders: SettingHolderRepository,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAudiences) private readonly channelAudiences: ChannelAudiences,
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(GroupSettingValues) private readonly values: GroupSettingValues,
    @inject(UserAccess) private readonly access: UserAccess,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
  ) {}

  async afterDeactivate(tx: Transaction, user: UserRow): Promise<void> {
    const userIds = await this.access.guestsWithoutAccess(tx, user)
    if (userIds.length > 0) await this.#emit(tx, user, userIds)
  }

  async reactivated(tx: Transaction, user: UserRow): Promise<void> {
    await this.#emit(tx, user)
  }

  /** @param onlyIds the recipients; all users if absent. */
  async #emit(tx: Transaction, user: UserRow, onlyIds?: readonly number[]): Promise<void> {
    const naming = await this.#naming(tx, user)
    if (naming === undefined) return
    const everyone: Audience =
      onlyIds === undefined
        ? { audienceId: await this.activeUsers.audience(tx) }
        : { userIds: onlyIds }
    for (const { id, settings, isDeactivated } of await this.holders.listGroups(tx)) {
      const mark = isDeactivated ? { isDeactivated: true as const } : {}
      for (const [name, value] of naming(settings)) {
        tx.emit(userGroupUpdated(everyone, { group_id: id, data: { [name]: value }, ...mark }))
      }
    }
    await this.#emitForChannels(tx, naming, onlyIds)
    const row = await this.organizations.findCurrent(tx)
    if (row === undefined) return
    for (const [name, value] of naming(organizationStateOf(row).permissions)) {
      tx.emit(realmSettingsUpdated(everyone, { data: { [name]: value } }))
    }
  }

  async #emitForChannels(
    tx: Transaction,
    naming: NamingSettings,
    onlyIds: readonly number[] | undefined,
  ): Promise<void> {
    const holders = await this.holders.listChannels(tx)
    const concerned = holders.filter(({ settings }) => naming(settings).length > 0)
    if (concerned.length === 0) return
    const rows = await this.channels.findMany(
      tx,
      concerned.map(({ id }) => id),
    )
    const audience = await this.channelAudiences.load(tx, rows)
    for (const channel of rows) {
      const observers = audience.observers(channel)
      const recipientIds = onlyIds?.filter((id) => observers.has(id))
      if (recipientIds?.length === 0) continue
      const recipients =
        recipientIds === undefined ? observers.without([]) : { userIds: recipientIds }
      for (const [property, value] of naming(channelSettings(channel))) {
        const update = { stream_id: channel.id, name: channel.name, property, value }
        tx.emit(channelUpdated(recipients, { update, isOfArchived: channel.is_archived }))
      }
    }
  }

  /** Undefined if no setting names the user directly. */
  async #naming(tx: Transaction, user: UserRow): Promise<NamingSettings | undefined> {
    const own = await this.groups.groupIdsOf(tx, user.id)
    const named = new Set((await this.groups.findNamed(tx, own)).map(({ id }) => id))
    // The value of a setting that names a group does not change with the group's members.
    const anonymous = new Set(own.filter((id) => !named.has(id)))
    if (anonymous.size === 0) return undefined
    const valueOf = await this.values.reader(tx)
    return (settings) =>
      Object.entries(settings)
        .filter(([, groupId]) => anonymous.has(groupId))
        .map(([name, groupId]) => [name, valueOf(groupId)])
  }
}
