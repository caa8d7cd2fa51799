import { inject } from 'tsyringe'

import { entriesOf } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { AuthenticationMethods } from '../../access/authentication/index.js'
import { defineSnapshot, type SnapshotContext } from '../../../resource-definition/snapshot.js'
import { GroupSettingValues, UserGroupRepository } from '../../groups/user-groups/index.js'
import { isOwnedByApplication } from '../../people/users/index.js'
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
    const { organization, scope, chatUrl } = context
    const valueOf = await this.groupValues.reader(scope)
    const systemNames = new Map(
      [...(await this.groups.systemGroupIds(scope))].map(([name, id]) => [id, name]),
    )
    return {
      ...serverValues(this.facts, chatUrl),
      ...realmValues(
        organization,
        this.facts,
        this.methods.describe(organization.settings),
        chatUrl,
      ),
      ...closedSettings(context.self, this.facts),
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

/** Properties that the application owns are announced to its users as settings closed to all. */
function closedSettings(
  self: SnapshotContext['self'],
  facts: ServerFacts,
): Readonly<Record<string, boolean>> {
  const closed: Record<string, boolean> = {}
  if (isOwnedByApplication(self, 'fullName', facts)) {
    closed.realm_name_changes_disabled = true
    closed.server_name_changes_disabled = true
  }
  if (isOwnedByApplication(self, 'email', facts)) closed.realm_email_changes_disabled = true
  if (isOwnedByApplication(self, 'avatar', facts)) {
    closed.realm_avatar_changes_disabled = true
    closed.server_avatar_changes_disabled = true
  }
  return closed
}

export const realmSnapshot = defineSnapshot({
  keys: realmKeys,
  service: RealmSnapshot,
  load: async (service, context) => service.load(context),
})
