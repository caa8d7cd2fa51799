import { inject, injectAll, type InjectionToken } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import type { Audience } from '../../../events/event.js'
import { perServer } from '../../../kernel/per-server.js'
import { type ServerFacts, ServerFactsToken } from '../../../kernel/server-facts.js'
import type { Transaction } from '../../../storage/index.js'
import { UserAccess } from '../user-access/index.js'
import {
  type AccountStep,
  type ProfileValues,
  ProfileValuesToken,
  unknownUser,
  userAdded,
  userObject,
  userRemoved,
  type UserRow,
  type ViewableUser,
} from '../users/index.js'

/** A step that another resource runs when users become visible to others, in the transaction. */
export interface UserVisibilityStep {
  /** Called after the events about active users that `audienceOf` can now see. */
  becameVisible(
    tx: Transaction,
    userIds: readonly number[],
    audienceOf: (userId: number) => Audience,
  ): Promise<void>
}

export const UserVisibilityStepToken: InjectionToken<UserVisibilityStep> =
  Symbol('UserVisibilityStep')

/** Sends clients events about users that become accessible or inaccessible. */
@perServer()
export class UserVisibilityEvents {
  constructor(
    @inject(ProfileValuesToken) private readonly profileValues: ProfileValues,
    @injectAll(UserVisibilityStepToken) private readonly steps: readonly UserVisibilityStep[],
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * @param viewer a user with the same access to the people's details as all recipients.
   * @param recipientIdsOf the users who get the event about a person.
   */
  async show(
    tx: Transaction,
    people: readonly ViewableUser[],
    viewer: Pick<Actor, 'userId' | 'role'>,
    recipientIdsOf: (userId: number) => readonly number[],
  ): Promise<void> {
    if (people.length === 0) return
    const userIds = people.map(({ id }) => id)
    const profiles = await this.profileValues.list(tx, userIds)
    for (const user of people) {
      const person = userObject(user, viewer, this.facts, { clientGravatar: false })
      if (!person.is_bot) person.profile_data = profiles.get(user.id) ?? {}
      tx.emit(userAdded({ userIds: recipientIdsOf(user.id) }, { person }))
    }
    const activeIds = people.filter(({ is_active }) => is_active).map(({ id }) => id)
    for (const step of this.steps) {
      await step.becameVisible(tx, activeIds, (id) => ({ userIds: recipientIdsOf(id) }))
    }
  }

  hide(tx: Transaction, userId: number, recipientIds: readonly number[]): void {
    const { full_name } = unknownUser(userId, this.facts)
    tx.emit(userRemoved({ userIds: recipientIds }, { person: { user_id: userId, full_name } }))
  }
}

/** Removes a deactivated user for guests who had access through shared channels only. */
@perServer()
export class GuestDepartures implements AccountStep {
  constructor(
    @inject(UserAccess) private readonly access: UserAccess,
    @inject(UserVisibilityEvents) private readonly events: UserVisibilityEvents,
  ) {}

  async afterDeactivate(tx: Transaction, user: UserRow): Promise<void> {
    const guestIds = await this.access.guestsLeftBy(tx, user)
    if (guestIds.length > 0) this.events.hide(tx, user.id, guestIds)
  }
}
