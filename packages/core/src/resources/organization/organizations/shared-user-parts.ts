import type { UncommittedChanges } from '../../../events/log/kept-values.js'
import { changing, type RecordKind } from '../../../events/record-kind.js'
import type { Database, OrganizationScope } from '../../../storage/index.js'
import type { SharedValue, SharedValues } from './shared-values.js'

/** If the parts of more users have changed, all are read. */
const maxReloaded = 1000

interface Assembled<Whole, Part> {
  readonly whole: Whole
  readonly parts: Map<number, Part>
  /** Users whose parts have changed. */
  readonly outdated: Set<number>
  reloading: Promise<void>
}

export interface UserPartsRules<Whole, Part> {
  /** The records of a change, which name the user as their recipient. */
  readonly changedBy: RecordKind
  /** Reads the parts of some users, or of all. */
  load(scope: OrganizationScope, userIds?: readonly number[]): Promise<ReadonlyMap<number, Part>>
  create(): Whole
  /** Exchanges the part of a user in the whole. */
  replace(whole: Whole, userId: number, before: Part | undefined, after: Part | undefined): void
}

/**
 * Keeps one value per organization that is assembled from a part of each user. A change of a user
 * reloads the user's part only. It is loaded, and not taken from the record, because records may
 * arrive in another order than that of the commits.
 */
export class SharedUserParts<Whole, Part> {
  readonly #assembled: SharedValue<Assembled<Whole, Part>>

  constructor(
    private readonly database: Database,
    private readonly uncommitted: UncommittedChanges,
    shared: SharedValues,
    name: string,
    private readonly rules: UserPartsRules<Whole, Part>,
  ) {
    this.#assembled = shared.define(name, {
      load: (scope) => this.#load(scope),
      changedBy: [changing(rules.changedBy, (_, userIds) => [...userIds])],
      correct({ outdated }, userIds) {
        for (const userId of userIds) outdated.add(userId)
      },
    })
  }

  async of(organizationId: number): Promise<Whole> {
    const assembled = await this.#assembled.of(organizationId)
    if (assembled.outdated.size > 0) {
      assembled.reloading = this.uncommitted.outside(() =>
        this.#reload(organizationId, assembled, assembled.reloading),
      )
    }
    await assembled.reloading
    return assembled.whole
  }

  async #load(scope: OrganizationScope): Promise<Assembled<Whole, Part>> {
    const whole = this.rules.create()
    const parts = new Map(await this.rules.load(scope))
    for (const [userId, part] of parts) this.rules.replace(whole, userId, undefined, part)
    return { whole, parts, outdated: new Set(), reloading: Promise.resolve() }
  }

  async #reload(
    organizationId: number,
    { whole, parts, outdated }: Assembled<Whole, Part>,
    earlier: Promise<void>,
  ): Promise<void> {
    const userIds = [...outdated]
    outdated.clear()
    try {
      await earlier.catch(() => {})
      const isFew = userIds.length <= maxReloaded
      const current = await this.rules.load(
        this.database.read(organizationId),
        isFew ? userIds : undefined,
      )
      const changed = isFew ? userIds : new Set([...parts.keys(), ...current.keys()])
      for (const userId of changed) {
        const after = current.get(userId)
        this.rules.replace(whole, userId, parts.get(userId), after)
        if (after === undefined) parts.delete(userId)
        else parts.set(userId, after)
      }
    } catch (error) {
      for (const userId of userIds) outdated.add(userId)
      throw error
    }
  }
}
