import { inject } from 'tsyringe'

import { FollowedLogs } from '../../../events/log/followed-logs.js'
import type { Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, UnitOfWork, type Transaction } from '../../../storage/index.js'
import type { RecentActivity } from '../../notifications/push/index.js'
import { realmDeactivated } from '../../organization/organizations/index.js'
import { userChanges, userSettingChanged } from '../../people/users/index.js'
import {
  OrganizationPresences,
  type KnownPresence,
  type PresenceExchange,
} from './organization-presences.js'
import { PresenceRepository } from './presence-repository.js'

/** An organization that nobody asks about is forgotten after this time. */
const idleMilliseconds = 15 * 60_000
/** Over all organizations, about 300 bytes each. */
const maxPresences = 200_000
/** If more users have changed, all presences are read again. */
const maxOutdated = 1000

interface Remembered {
  readonly presences: OrganizationPresences
  /** The last read of rows. */
  loading: Promise<void>
  /** Users whose rows have changed in the database. */
  readonly outdated: Set<number>
  /** Whether changes of users are noted. */
  isFollowed: boolean
  exchanging?: Promise<void> | undefined
  usedAtMilliseconds: number
}

/**
 * The presences of the organizations in use. They are answered from here, and changed here: the
 * database gets the changes a few seconds later, see `PresenceUpkeep`.
 */
@perServer()
export class PresenceMemory implements RecentActivity {
  readonly #remembered = new Map<number, Remembered>()

  constructor(
    @inject(PresenceRepository) private readonly repository: PresenceRepository,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(FollowedLogs) private readonly logs: FollowedLogs,
    @inject(ClockToken) private readonly clock: Clock,
  ) {
    logs.on(realmDeactivated, (organizationId) => this.#remembered.delete(organizationId))
    logs.on(userSettingChanged, (organizationId, { property }, userIds) => {
      if (property !== 'presence_enabled') return
      const presences = this.#remembered.get(organizationId)?.presences
      // The transaction has stored another one.
      for (const userId of userIds) presences?.dropChange(userId)
    })
    logs.onChanges(userChanges, (organizationId, ids) => {
      if (ids === 'all') this.#noteEnd(organizationId)
      else this.#noteChange(organizationId, ids)
    })
  }

  /** The organization's presences, as current as this process can know. */
  async open(organizationId: number): Promise<OrganizationPresences> {
    for (;;) {
      const remembered = this.#remember(organizationId)
      remembered.usedAtMilliseconds = this.clock.now()
      if (!remembered.isFollowed) this.#follow(organizationId, remembered)
      if (remembered.outdated.size > 0) {
        remembered.loading = this.#reload(organizationId, remembered, remembered.loading)
      }
      await remembered.loading
      // If it was forgotten meanwhile, it would not be stored.
      const isKnown = this.#remembered.get(organizationId) === remembered
      if (isKnown && remembered.outdated.size === 0) return remembered.presences
    }
  }

  /**
   * The presences that a call sees which has joined a transaction of the application, and in it has
   * changed users; undefined for all other calls.
   */
  async openUncommitted(organizationId: number): Promise<OrganizationPresences | undefined> {
    const { uncommitted } = this.logs
    if (!userChanges.includesAny(uncommitted.kinds(organizationId))) return undefined
    const known = await this.open(organizationId)
    return uncommitted.memoize(this, organizationId, async () => {
      const presences = new OrganizationPresences()
      presences.adopt(await this.repository.listAfter(this.database.read(organizationId), 0))
      for (const { user, ...times } of known.changes()) {
        if (presences.find(user.id) !== undefined) presences.report(user, times)
      }
      return presences
    })
  }

  /** When a user was last active according to reports that are not in the database yet. */
  activeAtSeconds(organizationId: number, userId: number): number | null {
    return this.findChange(organizationId, userId)?.activeAt ?? null
  }

  /** The change of a user that is not in the database yet. */
  findChange(organizationId: number, userId: number): KnownPresence | undefined {
    return this.#remembered.get(organizationId)?.presences.findChange(userId)
  }

  /** The organizations with changes that are not in the database yet. */
  get changedIds(): number[] {
    return [...this.#remembered]
      .filter(([, { presences }]) => presences.hasChanges)
      .map(([organizationId]) => organizationId)
  }

  /** Stores the changes of an organization, if there are any. */
  async store(organizationId: number): Promise<void> {
    if (this.changedIds.includes(organizationId)) await this.exchange(organizationId)
  }

  /** Stores the changes of an organization, takes over those of others, and reserves ids. */
  async exchange(organizationId: number): Promise<void> {
    const remembered = this.#remembered.get(organizationId)
    if (remembered === undefined) return
    remembered.exchanging ??= this.logs.uncommitted.outside(() =>
      this.#exchange(organizationId, remembered).finally(() => {
        remembered.exchanging = undefined
      }),
    )
    await remembered.exchanging
  }

  /** Takes over the rows that other processes have stored. */
  async refresh(): Promise<void> {
    const ids = [...this.#remembered.keys()]
    if (ids.length === 0) return
    const newest = new Map(
      (await this.repository.newestUpdates(this.database, ids)).map((row) => [row.id, row.newest]),
    )
    for (const organizationId of ids) {
      const updateId = newest.get(organizationId)
      if (updateId === undefined) this.#remembered.delete(organizationId)
      const { presences } = this.#remembered.get(organizationId) ?? {}
      if (presences === undefined || (updateId ?? 0) <= presences.newestStored) continue
      const scope = this.database.readCommitted(organizationId)
      presences.adopt(await this.repository.listAfter(scope, presences.newestStored))
      // The newest ones may be of users who are not active any more.
      presences.newestStored = Math.max(presences.newestStored, updateId ?? 0)
    }
  }

  /** Forgets organizations that are not in use, or used longest ago if there are too many presences. */
  forgetUnused(): void {
    const idleBefore = this.clock.now() - idleMilliseconds
    const byUse = [...this.#remembered].sort(
      ([, one], [, other]) => other.usedAtMilliseconds - one.usedAtMilliseconds,
    )
    let count = 0
    for (const [organizationId, { presences, usedAtMilliseconds }] of byUse) {
      count += presences.size
      const isUnused = usedAtMilliseconds < idleBefore || count > maxPresences
      if (isUnused && !presences.hasChanges) this.#remembered.delete(organizationId)
    }
  }

  #remember(organizationId: number): Remembered {
    const known = this.#remembered.get(organizationId)
    if (known !== undefined) return known
    const remembered: Remembered = {
      presences: new OrganizationPresences(),
      loading: Promise.resolve(),
      outdated: new Set(),
      isFollowed: false,
      usedAtMilliseconds: this.clock.now(),
    }
    this.#remembered.set(organizationId, remembered)
    return remembered
  }

  async #load(organizationId: number, { presences, outdated }: Remembered): Promise<void> {
    // Watched first, so that changes of users during the read are noted.
    await this.logs.watch(organizationId)
    const scope = this.database.readCommitted(organizationId)
    // Of a user who was deactivated, or has just got a presence.
    const others = presences.adoptAll(await this.repository.listAfter(scope, 0))
    for (const userId of others) outdated.add(userId)
  }

  #follow(organizationId: number, remembered: Remembered): void {
    remembered.isFollowed = true
    remembered.loading = this.logs.uncommitted
      .outside(() => this.#load(organizationId, remembered))
      .catch((error: unknown) => {
        remembered.isFollowed = false
        throw error
      })
  }

  #noteEnd(organizationId: number): void {
    const remembered = this.#remembered.get(organizationId)
    if (remembered === undefined) return
    // Presences that are not stored yet are kept; the rest is read again, if it is needed again.
    remembered.isFollowed = false
    for (const { user } of remembered.presences.changes()) remembered.outdated.add(user.id)
    if (!remembered.presences.hasChanges) this.#remembered.delete(organizationId)
  }

  #noteChange(organizationId: number, userIds: readonly number[]): void {
    const remembered = this.#remembered.get(organizationId)
    if (remembered === undefined) return
    for (const userId of userIds) remembered.outdated.add(userId)
    if (remembered.outdated.size > maxOutdated && !remembered.presences.hasChanges) {
      this.#remembered.delete(organizationId)
    }
  }

  async #reload(
    organizationId: number,
    remembered: Remembered,
    loaded: Promise<void>,
  ): Promise<void> {
    const { presences, outdated } = remembered
    const userIds = [...outdated]
    outdated.clear()
    try {
      await loaded.catch((error: unknown) => {
        // An earlier read of changed users is repeated here, but not that of all presences.
        if (!remembered.isFollowed) throw error
      })
      const scope = this.database.readCommitted(organizationId)
      const rows = await this.repository.listOf(scope, userIds)
      presences.adopt(rows)
      const found = new Set(rows.map(({ id }) => id))
      for (const userId of userIds) if (!found.has(userId)) presences.remove(userId)
    } catch (error) {
      for (const userId of userIds) outdated.add(userId)
      throw error
    }
  }

  async #exchange(organizationId: number, remembered: Remembered): Promise<void> {
    const { presences, outdated } = remembered
    const exchange = await this.unitOfWork.run(
      organizationId,
      (tx) => this.#exchangeWithin(tx, presences),
      { skipWriteLock: true },
    )
    if (exchange === undefined) this.#remembered.delete(organizationId)
    else for (const userId of presences.commit(exchange)) outdated.add(userId)
  }

  async #exchangeWithin(
    tx: Transaction,
    presences: OrganizationPresences,
  ): Promise<PresenceExchange | undefined> {
    const counter = await this.repository.lockCounter(tx)
    if (counter === undefined) return undefined
    const others = presences.isLatest(counter)
      ? []
      : await this.repository.listAfter(tx, presences.newestStored)
    // Changes that are reported from now on are stored by the next exchange.
    const changes = presences.changes()
    const reporting = new Set(
      changes.length === 0
        ? []
        : await this.repository.listReporting(
            tx,
            changes.map(({ user }) => user.id),
          ),
    )
    const exchange = presences.exchange(counter, others, (id) => reporting.has(id), changes)
    await this.repository.store(
      tx,
      exchange.stored.map(({ row }) => ({
        user_id: row.user.id,
        active_at_seconds: row.activeAt,
        connected_at_seconds: row.connectedAt,
        update_id: row.updateId,
      })),
    )
    if (exchange.reservedTo !== counter) {
      await this.repository.setCounter(tx, exchange.reservedTo)
    }
    return exchange
  }
}
