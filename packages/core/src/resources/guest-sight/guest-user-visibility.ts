import { inject } from 'tsyringe'

import { Role } from '../../domain/actor.js'
import { addTo } from '../../kernel/grouping.js'
import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import { UserAccess, type GuestSights } from '../user-access/index.js'
import { UserRepository } from '../users/index.js'
import { UserVisibilityEvents } from './user-visibility-events.js'

/** Whom guests knew of when it was looked at; undefined where all know of everyone. */
export type VisibilityDiff =
  | {
      readonly before: GuestSights
      /** Looks again. */
      readonly now: () => Promise<GuestSights | undefined>
    }
  | undefined

/**
 * Tells guests who may not know of everyone when they come to know of users, and when they no
 * longer do: look before a change, tell after it. The number of statements does not depend on how
 * many users there are.
 */
@perServer()
export class GuestUserVisibility {
  constructor(
    @inject(UserAccess) private readonly access: UserAccess,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserVisibilityEvents) private readonly events: UserVisibilityEvents,
  ) {}

  /** Before something that the users do, or that is done to them. */
  async of(tx: Transaction, userIds: readonly number[]): Promise<VisibilityDiff> {
    const look = (): Promise<GuestSights | undefined> => this.access.sightsOf(tx, userIds)
    const before = await look()
    return before === undefined ? undefined : { before, now: look }
  }

  /** Before something that happens among the users only. */
  async among(
    tx: Transaction,
    users: readonly { readonly id: number; readonly role: Role }[],
  ): Promise<VisibilityDiff> {
    const look = (): Promise<GuestSights | undefined> => this.access.sightsAmong(tx, users)
    const before = await look()
    return before === undefined ? undefined : { before, now: look }
  }

  /** @param notYetConnectedIds guests who have no client yet that could be told. */
  async tellGained(
    tx: Transaction,
    sights: VisibilityDiff,
    notYetConnectedIds: readonly number[] = [],
  ): Promise<void> {
    if (sights === undefined) return
    const gained = differences((await sights.now()) ?? new Map(), sights.before, notYetConnectedIds)
    if (gained.size === 0) return
    const people = await this.users.findViewable(tx, [...gained.keys()])
    await this.events.show(tx, people, anyGuest, (id) => gained.get(id) ?? [])
  }

  async tellLost(tx: Transaction, sights: VisibilityDiff): Promise<void> {
    if (sights === undefined) return
    const lost = differences(sights.before, (await sights.now()) ?? new Map(), [])
    for (const [userId, guestIds] of [...lost].sort(([a], [b]) => a - b)) {
      this.events.hide(tx, userId, guestIds)
    }
  }
}

/** A viewer who learns no more than any guest. */
const anyGuest = { userId: 0, role: Role.guest } as const

/** The guests who know of each user in `sights` and not in `others`, by the user's id. */
function differences(
  sights: GuestSights,
  others: GuestSights,
  exceptIds: readonly number[],
): Map<number, number[]> {
  const guests = new Map<number, number[]>()
  const left = new Set(exceptIds)
  for (const [guestId, userIds] of sights) {
    if (left.has(guestId)) continue
    for (const userId of userIds) {
      if (others.get(guestId)?.has(userId) === true) continue
      addTo(guests, userId, guestId)
    }
  }
  return guests
}
