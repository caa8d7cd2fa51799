import { inject } from 'tsyringe'

import type { Audience } from '../../events/event.js'
import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import { ActiveUsers } from '../active-users/index.js'
import {
  ChannelAudiences,
  ChannelRepository,
  channelSettings,
  channelUpdated,
} from '../channels/index.js'
import {
  OrganizationRepository,
  organizationStateOf,
  realmSettingsUpdated,
} from '../organizations/index.js'
import { UserAccess } from '../user-access/index.js'
import {
  GroupSettingValues,
  UserGroupRepository,
  userGroupUpdated,
  type GroupSettingValue,
} from '../user-groups/index.js'
import type { AccountStep, UserRow } from '../users/index.js'
import { SettingHolderRepository } from './setting-holder-repository.js'

/** A setting that names a user directly, and how clients see it now. */
type NamingSetting = readonly [name: string, value: GroupSettingValue]

/** Picks the settings that name one user out of a holder's. */
type NamingSettings = (settings: Readonly<Record<string, number>>) => NamingSetting[]

/**
 * Tells of settings of groups, channels and the organization that name a user who is deactivated,
 * or active again. Clients work out the former by themselves, unless they do not know the user. The
 * number of statements does not depend on how many settings there are.
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
    const userIds = await this.access.guestsWithout(tx, user)
    if (userIds.length > 0) await this.#tell(tx, user, userIds)
  }

  async reactivated(tx: Transaction, user: UserRow): Promise<void> {
    await this.#tell(tx, user)
  }

  /** @param onlyIds the users who are told; everyone where it is absent. */
  async #tell(tx: Transaction, user: UserRow, onlyIds?: readonly number[]): Promise<void> {
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
    await this.#tellOfChannels(tx, naming, onlyIds)
    const row = await this.organizations.findCurrent(tx)
    if (row === undefined) return
    for (const [name, value] of naming(organizationStateOf(row).permissions)) {
      tx.emit(realmSettingsUpdated(everyone, { data: { [name]: value } }))
    }
  }

  async #tellOfChannels(
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
      const told = onlyIds?.filter((id) => observers.has(id))
      if (told?.length === 0) continue
      const recipients = told === undefined ? observers.without([]) : { userIds: told }
      for (const [property, value] of naming(channelSettings(channel))) {
        const update = { stream_id: channel.id, name: channel.name, property, value }
        tx.emit(channelUpdated(recipients, { update, isOfArchived: Boolean(channel.is_archived) }))
      }
    }
  }

  /** Undefined if no setting can name the user. */
  async #naming(tx: Transaction, user: UserRow): Promise<NamingSettings | undefined> {
    const own = await this.groups.groupIdsOf(tx, user.id)
    const named = new Set((await this.groups.findNamed(tx, own)).map(({ id }) => id))
    // A setting that names a group does not change with the group's members.
    const nameless = new Set(own.filter((id) => !named.has(id)))
    if (nameless.size === 0) return undefined
    const valueOf = await this.values.reader(tx)
    return (settings) =>
      Object.entries(settings)
        .filter(([, groupId]) => nameless.has(groupId))
        .map(([name, groupId]) => [name, valueOf(groupId)])
  }
}
