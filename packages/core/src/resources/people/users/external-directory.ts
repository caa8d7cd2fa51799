import { inject } from 'tsyringe'

import type { Role } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { ExternalReferences, type OrganizationReference } from './external-references.js'
import { ExternalUserRepository } from './external-user-repository.js'
import { UserRepository } from './user-repository.js'

/** A user of the application, as the chat knows them. */
export interface ApplicationUser {
  /** The chat's id of the user. */
  readonly id: number
  /** The application's id of the user, as text. */
  readonly externalId: string
  /** The real address: a stand-in if another account has the application's. */
  readonly email: string
  readonly fullName: string
  /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
  readonly role: Role
  readonly isActive: boolean
}

/** Translates between the application's ids of users and the chat's. */
@perServer()
export class ExternalDirectory {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(ExternalReferences) private readonly references: ExternalReferences,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(ExternalUserRepository) private readonly external: ExternalUserRepository,
  ) {}

  async find(
    applicationUserId: string | number,
    options: OrganizationReference = {},
  ): Promise<ApplicationUser | undefined> {
    const externalId = this.references.requireId('chat.users.find', applicationUserId)
    const scope = await this.#scope(options)
    const row = await this.users.findByExternalId(scope, externalId)
    if (row === undefined) return undefined
    const { id, email, full_name, role, is_active } = row
    return { id, externalId, email, fullName: full_name, role, isActive: is_active }
  }

  async idOf(
    applicationUserIds: readonly (string | number)[],
    options: OrganizationReference = {},
  ): Promise<Map<string, number>> {
    const externalIds = applicationUserIds.map((id) =>
      this.references.requireId('chat.users.idOf', id),
    )
    return this.idsOf(await this.#scope(options), externalIds)
  }

  async externalIdOf(
    ids: readonly number[],
    options: OrganizationReference = {},
  ): Promise<Map<number, string>> {
    if (!ids.every((id) => Number.isSafeInteger(id))) {
      throw new TypeError('chat.users.externalIdOf: the ids must be integers')
    }
    return this.externalIdsOf(await this.#scope(options), ids)
  }

  /** The chat's ids of the users that exist, by the application's. */
  async idsOf(
    scope: OrganizationScope,
    externalIds: readonly string[],
  ): Promise<Map<string, number>> {
    const found = new Map<string, number>()
    for (const chunk of chunksOf(externalIds)) {
      const rows = await this.external.listByExternalIds(scope, chunk)
      for (const { id, external_id } of rows) found.set(external_id, id)
    }
    return found
  }

  /** The application's ids of the users that have one, by the chat's. */
  async externalIdsOf(
    scope: OrganizationScope,
    ids: readonly number[],
  ): Promise<Map<number, string>> {
    const found = await this.usersAmong(scope, ids)
    return new Map(
      [...found].flatMap(([id, externalId]) => (externalId === null ? [] : [[id, externalId]])),
    )
  }

  /** The users of the organization among those, with the application's ids of them. */
  async usersAmong(
    scope: OrganizationScope,
    ids: readonly number[],
  ): Promise<Map<number, string | null>> {
    const found = new Map<number, string | null>()
    for (const chunk of chunksOf(ids)) {
      const rows = await this.external.listIds(scope, chunk)
      for (const { id, external_id } of rows) found.set(id, external_id)
    }
    return found
  }

  async #scope(options: OrganizationReference): Promise<OrganizationScope> {
    return this.database.read(await this.references.organizationId(options))
  }
}
