import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { externalIdOf } from './external-identity.js'
import { ExternalUserRepository, type ExternalUser } from './external-user-repository.js'
import { UserRepository } from './user-repository.js'
import type { UserRow } from './users-table.js'

/** The organization of a user id of the application. */
export interface OrganizationReference {
  /** The `subdomain` of the user's organization. @default the only organization */
  readonly organization?: string
}

/**
 * A user of a call: the application's id, alone or as `externalId`, or the chat's id as `userId`,
 * which users without an id of the application have too.
 */
export type AccountReference =
  | string
  | number
  | { readonly externalId: string | number }
  | { readonly userId: number }

/** A checked {@link AccountReference}. */
export type AccountKey = { readonly externalId: string } | { readonly userId: number }

/** Resolves the application's references to users. */
@perServer()
export class ExternalReferences {
  constructor(
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(Database) private readonly database: Database,
    @inject(ExternalUserRepository) private readonly external: ExternalUserRepository,
  ) {}

  /**
   * @param call the name of the called method, for messages.
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
   * @throws {TypeError} if the reference is invalid.
   */
  async resolve(
    call: string,
    reference: AccountReference,
    options: OrganizationReference,
  ): Promise<{ readonly organizationId: number; readonly key: AccountKey }> {
    const key = requireKey(call, reference)
    return { organizationId: await this.organizationId(options), key }
  }

  /**
   * The users with these ids of the application who have an active account.
   *
   * @param call the name of the called method, for messages.
   * @param maxUsers at most 1,000.
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
   * @throws {TypeError} if the ids are not a list, too many, or one of them is invalid.
   */
  async listActive(
    call: string,
    applicationUserIds: readonly (string | number)[],
    maxUsers: number,
    options: OrganizationReference,
  ): Promise<{ readonly organizationId: number; readonly users: readonly ExternalUser[] }> {
    const externalIds = atMost(call, 'ids of users', applicationUserIds, maxUsers).map((id) =>
      this.requireId(call, id),
    )
    const organizationId = await this.organizationId(options)
    const scope = this.database.read(organizationId)
    const found = await this.external.listByExternalIds(scope, externalIds)
    return { organizationId, users: found.filter((user) => user.is_active) }
  }

  /** The user whom a reference names; undefined if there is none. */
  async find(scope: OrganizationScope, key: AccountKey): Promise<UserRow | undefined> {
    return 'userId' in key
      ? this.users.find(scope, key.userId)
      : this.users.findByExternalId(scope, key.externalId)
  }

  /**
   * @throws {TypeError} if `applicationUserId` is neither a string of 1 to 190 characters nor an
   *   integer.
   */
  requireId(call: string, applicationUserId: unknown): string {
    const externalId = externalIdOf(applicationUserId)
    if (externalId !== undefined) return externalId
    throw new TypeError(`${call}: externalId must be a string of 1 to 190 characters or an integer`)
  }

  /** @throws {ChatError} the error of {@link OrganizationService.requireNamed}. */
  async organizationId({ organization }: OrganizationReference): Promise<number> {
    return (await this.organizations.requireNamed(organization)).id
  }
}

/** @throws {TypeError} if it is not a list, or too long. */
export function atMost<Item>(
  call: string,
  name: string,
  list: readonly Item[],
  maxItems: number,
): readonly Item[] {
  if (Array.isArray(list) && list.length <= maxItems) return list
  throw new TypeError(`${call}: ${name} must be a list of at most ${maxItems}`)
}

/** Applications in plain JavaScript are not type-checked. */
function requireKey(call: string, reference: unknown): AccountKey {
  const { externalId = reference, userId }: { externalId?: unknown; userId?: unknown } =
    Object(reference)
  if (typeof userId === 'number' && Number.isSafeInteger(userId)) return { userId }
  const checked = externalIdOf(externalId)
  if (checked !== undefined) return { externalId: checked }
  throw new TypeError(
    `${call}: needs the externalId of a user, a string of 1 to 190 characters or an integer, ` +
      'or { userId }, an integer',
  )
}
