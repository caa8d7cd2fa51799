import { inject } from 'tsyringe'

import { anyUserOf, Role } from '../../../domain/users/actor.js'
import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { UserAccess, type GuestVisibility } from '../user-access/index.js'
import { UserRepository } from '../users/index.js'
import { UserVisibilityEvents } from './user-visibility-events.js'

/** The users that guests could access before a change; undefined if all can access everyone. */
export type VisibilityDiff =
  | {
      readonly before: GuestVisibility
      /** Reads the current state. */
      readonly now: () => Promise<GuestVisibility | undefined>
    }
  | undefined

/**
 * Sends events to guests with limited access to users when they gain or lose access to a user:
 * take a {@link VisibilityDiff} before a change and send the events after it. The number of
 * statements does not depend on the number of users.
 */
@perServer()
export class GuestUserVisibility {
  constructor(
    @inject(UserAccess) private readonly access: UserAccess,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserVisibilityEvents) private readonly events: UserVisibilityEvents,
  ) {}

  /** Use it before an action by or on the users. */
  async of(tx: Transaction, userIds: readonly number[]): Promise<VisibilityDiff> {
    const readCurrent = (): Promise<GuestVisibility | undefined> =>
      this.access.visibilityOf(tx, userIds)
    const before = await readCurrent()
    return before === undefined ? undefined : { before, now: readCurrent }
  }

  /** Use it before an action that only affects access between these users. */
  async among(
    tx: Transaction,
    users: readonly { readonly id: number; readonly role: Role }[],
  ): Promise<VisibilityDiff> {
    const readCurrent = (): Promise<GuestVisibility | undefined> =>
      this.access.visibilityAmong(tx, users)
    const before = await readCurrent()
    return before === undefined ? undefined : { before, now: readCurrent }
  }

  /** @param notYetConnectedIds guests without clients yet, who get no event. */
  async sendGained(
    tx: Transaction,
    visibility: VisibilityDiff,
    notYetConnectedIds: readonly number[] = [],
  ): Promise<void> {
    if (visibility === undefined) return
    const gained = differences(
      (await visibility.now()) ?? new Map(),
      visibility.before,
      notYetConnectedIds,
    )
    if (gained.size === 0) return
    const people = await this.users.findViewable(tx, [...gained.keys()])
    await this.events.show(tx, people, anyGuest, (id) => gained.get(id) ?? [])
  }

  async sendLost(tx: Transaction, visibility: VisibilityDiff): Promise<void> {
    if (visibility === undefined) return
    const lost = differences(visibility.before, (await visibility.now()) ?? new Map(), [])
    for (const [userId, guestIds] of [...lost].sort(([a], [b]) => a - b)) {
      this.events.hide(tx, userId, guestIds)
    }
  }
}

/** A viewer with the permissions of an ordinary guest. */
const anyGuest = anyUserOf(Role.guest)

/** The guests with access to each user in `accessible` and not in `others`, by the user's id. */
function differences(
  accessible: GuestVisibility,
  others: GuestVisibility,
  exceptIds: readonly number[],
): Map<number, number[]> {
  const guests = new Map<number, number[]>()
  const excluded = new Set(exceptIds)
  for (const [guestId, userIds] of accessible) {
    if (excluded.has(guestId)) continue
    for (const userId of userIds) {
      if (others.get(guestId)?.has(userId) === true) continue
      addTo(guests, userId, guestId)
    }
  }
  return guests
}
