import type { InjectionToken } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import type { OrganizationScope, Transaction } from '../../storage/index.js'
import type { UserRow } from './user-repository.js'
import type { ProfileData } from './user-schemas.js'

/** One value as a client sets it; null, an empty text or an empty list removes it. */
export interface ProfileValueChange {
  readonly id: number
  readonly value: unknown
}

/** The custom profile values of users, which the noun of the profile fields knows. */
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

  /**
   * Checks and stores what `actor` changes of `user`, and tells who may see it.
   *
   * @throws {ChatError} `BAD_REQUEST` if a field or a value is wrong.
   */
  change(
    tx: Transaction,
    actor: Actor,
    user: UserRow,
    changes: readonly ProfileValueChange[],
  ): Promise<void>
}

/** Asked for each time, because the noun behind it knows the users in turn. */
export const ProfileValuesToken: InjectionToken<() => ProfileValues> = Symbol('ProfileValues')
