import { inject } from 'tsyringe'

import { parseUserSettings, type UserSettingsJson } from '../../../domain/users/user-settings.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import { parseJson, type OrganizationScope } from '../../../storage/index.js'
import { ChannelRepository } from '../../channels/channels/index.js'
import { isHistoryProtected } from '../../channels/message-permissions/index.js'
import { OrganizationRepository } from '../../organization/organizations/index.js'
import type { ArchiveType } from './archive-format.js'
import { ArchiveRepository } from './archive-repository.js'
import type { ArchivedRow } from './archived-tables.js'
import { PartialSelection, type SelectedIds } from './partial-selection.js'

/** The rows that an archive contains, and their values in it. */
export interface ArchiveSelection {
  /** The row of the organization. */
  organization(row: ArchivedRow): ArchivedRow
  /** The rows of a page that the archive contains, in their order. */
  select(table: string, rows: readonly ArchivedRow[]): Promise<readonly ArchivedRow[]>
}

const everything: ArchiveSelection = {
  organization: (row) => row,
  select: async (_table, rows) => rows,
}

/** Finds the content of archives of each type. */
@perServer()
export class ArchiveSelections {
  constructor(
    @inject(ArchiveRepository) private readonly rows: ArchiveRepository,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  async of(scope: OrganizationScope, type: ArchiveType): Promise<ArchiveSelection> {
    if (type === 'full') return everything
    const users = await this.rows.listAll(scope, 'users', ['id', 'is_bot', 'settings'])
    const consenting = new Set(
      type === 'public' ? [] : users.filter(hasConsented).map(({ id }) => Number(id)),
    )
    const channelIds = await this.#channels(scope, consenting)
    const ids: SelectedIds = {
      consenting,
      ...channelIds,
      conversations: await this.#conversations(scope, consenting),
      groups: await this.#groups(scope, channelIds.channels),
    }
    return new PartialSelection(scope, type, ids, this.rows, this.facts)
  }

  /** Public channels, and private ones to which a consenting user is subscribed. */
  async #channels(
    scope: OrganizationScope,
    consenting: ReadonlySet<number>,
  ): Promise<Pick<SelectedIds, 'channels' | 'withProtectedHistory'>> {
    const all = await this.rows.listAll(scope, 'channels', ['id', 'is_private'])
    const subscribed = new Set<number>()
    for (const users of chunksOf([...consenting])) {
      const columns = ['channel_id', 'is_active']
      const rows = await this.rows.listWhere(scope, 'subscriptions', 'user_id', users, columns)
      for (const row of rows)
        if (row['is_active'] === true) subscribed.add(Number(row['channel_id']))
    }
    const channels = all.filter(
      ({ id, is_private }) => is_private === false || subscribed.has(Number(id)),
    )
    const withProtectedHistory = (await this.channels.listPrivate(scope)).filter(isHistoryProtected)
    return {
      channels: new Set(channels.map(({ id }) => Number(id))),
      withProtectedHistory: new Set(withProtectedHistory.map(({ id }) => id)),
    }
  }

  /** Direct conversations in which a consenting user takes part. */
  async #conversations(
    scope: OrganizationScope,
    consenting: ReadonlySet<number>,
  ): Promise<ReadonlySet<number>> {
    const found = new Set<number>()
    for (const users of chunksOf([...consenting])) {
      const columns = ['recipient_id']
      const rows = await this.rows.listWhere(scope, 'recipient_members', 'user_id', users, columns)
      for (const { recipient_id } of rows) found.add(Number(recipient_id))
    }
    return found
  }

  /** Named groups, and the anonymous ones that settings name which the archive contains. */
  async #groups(
    scope: OrganizationScope,
    channelIds: ReadonlySet<number>,
  ): Promise<ReadonlySet<number>> {
    const groups = await this.rows.listAll(scope, 'user_groups', ['id', 'name', 'settings'])
    const channels = await this.rows.listAll(scope, 'channels', ['id', 'settings'])
    const organization = await this.organizations.findCurrent(scope)
    if (organization === undefined) throw new Error('The organization was deleted')
    const { permissions } = parseJson(organization.settings)
    const named = groups.filter(({ name }) => name !== null)
    const found = new Set([
      ...named.map(({ id }) => Number(id)),
      ...Object.values(permissions),
      ...channels.filter(({ id }) => channelIds.has(Number(id))).flatMap(groupIdsIn),
      ...named.flatMap(groupIdsIn),
    ])
    const links = await this.rows.listAll(scope, 'user_group_subgroups', [
      'group_id',
      'subgroup_id',
    ])
    const subgroups = new Map<number, number[]>()
    for (const { group_id, subgroup_id } of links) {
      const known = subgroups.get(Number(group_id))
      if (known === undefined) subgroups.set(Number(group_id), [Number(subgroup_id)])
      else known.push(Number(subgroup_id))
    }
    // Grows while it is iterated.
    for (const id of found) for (const subgroup of subgroups.get(id) ?? []) found.add(subgroup)
    return found
  }
}

function hasConsented({ is_bot, settings }: ArchivedRow): boolean {
  if (is_bot === true) return false
  // A column of users.
  return parseUserSettings(settings as UserSettingsJson).allow_private_data_export
}

/** The ids of groups in the settings of a channel or a group. */
function groupIdsIn({ settings }: ArchivedRow): number[] {
  // Stored by the server.
  return Object.values(JSON.parse(String(settings)) as Record<string, number>)
}
