import { inject } from 'tsyringe'

import { entriesOf } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { AuthenticationMethods } from '../../access/authentication/index.js'
import { defineSnapshot, type SnapshotContext } from '../../../resource-definition/snapshot.js'
import { GroupSettingValues, UserGroupRepository } from '../../groups/user-groups/index.js'
import { legacyPolicies } from './legacy-policies.js'
import { realmValues } from './realm-values.js'
import { serverValues } from './server-values.js'
import { realmKeys } from './realm-keys.js'

/** `realm`: server values, the organization's settings and its permission settings. */
@perServer()
export class RealmSnapshot {
  constructor(
    @inject(GroupSettingValues) private readonly groupValues: GroupSettingValues,
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(AuthenticationMethods) private readonly methods: AuthenticationMethods,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('realm')) return {}
    const { organization, scope } = context
    const url = this.facts.baseUrl ?? context.origin
    const valueOf = await this.groupValues.reader(scope)
    const systemNames = new Map(
      [...(await this.groups.systemGroupIds(scope))].map(([name, id]) => [id, name]),
    )
    return {
      ...serverValues(this.facts, url),
      ...realmValues(organization, this.facts, this.methods.describe(organization.settings), url),
      ...Object.fromEntries(
        entriesOf(organization.permissions).map(([name, groupId]) => [
          `realm_${name}`,
          valueOf(groupId),
        ]),
      ),
      ...legacyPolicies((name) => systemNames.get(organization.permissions[name])),
    }
  }
}

export const realmSnapshot = defineSnapshot({
  keys: realmKeys,
  service: RealmSnapshot,
  load: async (service, context) => service.load(context),
})
