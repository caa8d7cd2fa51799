import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { hasRole, isGuest, Role } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import {
  defineSnapshot,
  type SnapshotContext,
  type SnapshotValues,
} from '../../../resource-definition/snapshot.js'
import { PermissionGroups } from '../../groups/user-groups/index.js'
import {
  ListedUser,
  SystemBots,
  apiEmail,
  shownAvatarUrl,
  UserObject,
} from '../../people/users/index.js'
import { byActivity, EncodedUserLists } from './encoded-user-lists.js'
import { UserListService } from './user-list-service.js'

const { is_active: _, timezone, ...userProperties } = ListedUser.properties
const listedUser = { ...userProperties, timezone: Type.Optional(timezone) }

/** The keys of this part of the snapshot. */
const userListKeys = {
  realm_users: Type.Array(Type.Object(listedUser)),
  realm_non_active_users: Type.Array(Type.Object(listedUser)),
  cross_realm_bots: Type.Array(
    Type.Object({ ...UserObject.properties, is_system_bot: Type.Literal(true) }),
  ),
  user_id: Type.Integer(),
  email: Type.String(),
  delivery_email: Type.String(),
  full_name: Type.String(),
  avatar_source: Type.String(),
  avatar_url: Type.String(),
  avatar_url_medium: Type.String(),
  is_owner: Type.Boolean(),
  is_admin: Type.Boolean(),
  is_moderator: Type.Boolean(),
  is_guest: Type.Boolean(),
  can_create_public_streams: Type.Boolean(),
  can_create_private_streams: Type.Boolean(),
  can_create_web_public_streams: Type.Boolean(),
  can_create_streams: Type.Boolean(),
  can_invite_others_to_realm: Type.Boolean(),
}

/** The users, and the data and permissions of the client's own user. */
@perServer()
export class UserListSnapshot {
  constructor(
    @inject(UserListService) private readonly users: UserListService,
    @inject(EncodedUserLists) private readonly encoded: EncodedUserLists,
    @inject(PermissionGroups) private readonly groups: PermissionGroups,
    @inject(SystemBots) private readonly systemBots: SystemBots,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  async load(context: SnapshotContext): Promise<SnapshotValues<typeof userListKeys>> {
    if (!context.wants('realm_user')) return {}
    const { active, inactive } = await this.#users(context)
    return {
      realm_users: active,
      realm_non_active_users: inactive,
      cross_realm_bots: this.systemBots.objects(context.scope.organizationId),
      ...this.#self(context),
      ...(await this.#permissions(context)),
    }
  }

  async #users({ scope, headSeq, actor, queue }: SnapshotContext) {
    const options = {
      clientGravatar: queue.clientGravatar,
      withProfileData: true,
      withUnknown: queue.capabilities.user_list_incomplete !== true,
    }
    const encoded = await this.encoded.byActivity(scope, headSeq, actor, options)
    if (encoded !== undefined) return encoded
    const users = await this.users.listIn(scope, actor, undefined, options)
    const [active = [], inactive = []] = await byActivity(users)
    return { active, inactive }
  }

  #self({ self }: SnapshotContext): Record<string, unknown> {
    return {
      user_id: self.id,
      email: apiEmail(self, this.facts),
      delivery_email: self.email,
      full_name: self.full_name,
      avatar_source: self.avatar_source,
      avatar_url: shownAvatarUrl(self, this.facts),
      avatar_url_medium: shownAvatarUrl(self, this.facts, { medium: true }),
      is_owner: self.role === Role.owner,
      is_admin: hasRole(self, Role.administrator),
      is_moderator: hasRole(self, Role.moderator),
      is_guest: isGuest(self),
    }
  }

  async #permissions({ actor, organization }: SnapshotContext): Promise<Record<string, boolean>> {
    const createsPublic = await this.groups.allows(actor, 'can_create_public_channel_group')
    const createsPrivate = await this.groups.allows(actor, 'can_create_private_channel_group')
    const createsWebPublic =
      this.facts.webPublicChannels &&
      organization.settings.enable_spectator_access &&
      (await this.groups.allows(actor, 'can_create_web_public_channel_group'))
    return {
      can_create_public_streams: createsPublic,
      can_create_private_streams: createsPrivate,
      can_create_web_public_streams: createsWebPublic,
      can_create_streams: createsPublic || createsPrivate || createsWebPublic,
      can_invite_others_to_realm: await this.groups.allows(actor, 'can_invite_users_group'),
    }
  }
}

export const userListSnapshot = defineSnapshot({
  keys: userListKeys,
  service: UserListSnapshot,
  load: async (service, context) => service.load(context),
})
