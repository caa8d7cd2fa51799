import { inject } from 'tsyringe'

import { GroupGraph } from '../../../domain/organizations/permission-groups.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import {
  OrganizationRepository,
  organizationStateOf,
} from '../../organization/organizations/index.js'
import { GroupUseRepository } from './group-use-repository.js'
import { UserGroupRepository } from './user-group-repository.js'

/** Why a group cannot be deactivated, as in the error. */
export type Objection =
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] }
  | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
  | { readonly type: 'user_group'; readonly group_id: number; readonly settings: readonly string[] }
  | { readonly type: 'realm'; readonly settings: readonly string[] }

/** Finds the uses of a group. */
@perServer()
export class GroupUses {
  constructor(
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(GroupUseRepository) private readonly uses: GroupUseRepository,
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
  ) {}

  /**
   * The uses that prevent a deactivation: not by archived channels, deactivated groups, or the
   * group's own settings.
   */
  async objections(scope: OrganizationScope, groupId: number): Promise<Objection[]> {
    const graph = new GroupGraph([], await this.groups.listSubgroups(scope))
    const above = graph.directSupergroups(groupId)
    const anonymous = new Set((await this.groups.listAnonymous(scope)).map(({ id }) => id))
    const inSettings = new Set([groupId, ...above.filter((id) => anonymous.has(id))])
    const naming = (settings: Readonly<Record<string, number>>): string[] =>
      Object.entries(settings).flatMap(([name, id]) => (inSettings.has(id) ? [name] : []))

    const named = await this.groups.findNamed(scope, above)
    const supergroup_ids = named
      .filter((group) => !group.is_deactivated)
      .map(({ id }) => id)
      .sort((a, b) => a - b)
    const organization = await this.organizations.findCurrent(scope)
    const objections: Objection[] = [
      { type: 'subgroup', supergroup_ids },
      ...(await this.uses.listChannels(scope)).map(({ id, settings }) => ({
        type: 'channel' as const,
        channel_id: id,
        settings: naming(settings),
      })),
      ...(await this.uses.listGroups(scope))
        .filter(({ id }) => id !== groupId)
        .map(({ id, settings }) => ({
          type: 'user_group' as const,
          group_id: id,
          settings: naming(settings),
        })),
      {
        type: 'realm',
        settings:
          organization === undefined ? [] : naming(organizationStateOf(organization).permissions),
      },
    ]
    return objections.filter(
      (objection) =>
        (objection.type === 'subgroup' ? objection.supergroup_ids : objection.settings).length > 0,
    )
  }
}
