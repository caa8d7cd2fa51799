import type { InjectionToken } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import type { UserRow } from './users-table.js'
import type { ProfileData } from './user-schemas.js'

/** One value in a request; null, an empty text or an empty list removes it. */
export interface ProfileValueChange {
  readonly id: number
  readonly value: unknown
}

/** The custom profile values of users; implemented by the resource of the profile fields. */
export interface ProfileValues {
  /**
   * The values by user; users without any may be left out.
   *
   * @param userIds undefined for all users.
   */
  list(
    scope: OrganizationScope,
    userIds: readonly number[] | undefined,
  ): Promise<ReadonlyMap<number, ProfileData>>

  /** The same, perhaps from memory: as new as what this process has read of the log. */
  known(
    scope: OrganizationScope,
    userIds: readonly number[] | undefined,
  ): Promise<ReadonlyMap<number, ProfileData>>

  /**
   * Validates and stores changes that `actor` makes to `user`, and sends events to users who can
   * access `user`.
   *
   * @throws {ChatError} `BAD_REQUEST` if a field or a value is invalid.
   */
  change(
    tx: Transaction,
    actor: Actor,
    user: UserRow,
    changes: readonly ProfileValueChange[],
  ): Promise<void>
}

export const ProfileValuesToken: InjectionToken<ProfileValues> = Symbol('ProfileValues')
