import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, Transaction, type OrganizationScope } from '../../../storage/index.js'
import type { ChannelRow } from './channels-table.js'
import { ChannelTrafficRepository } from './channel-traffic-repository.js'

const daySeconds = 86_400
const windowDays = 28
const staleAfterSeconds = 3600

interface Counted {
  readonly atSeconds: number
  readonly byChannel: ReadonlyMap<number, number>
}

/** Estimates the number of messages in each channel. The counts are cached for an hour. */
@perServer()
export class ChannelTraffic {
  readonly #counted = new Map<number, Counted>()
  /** The organizations whose messages are counted for the next transaction. */
  readonly #counting = new Set<number>()

  constructor(
    @inject(ChannelTrafficRepository) private readonly messages: ChannelTrafficRepository,
    @inject(Database) private readonly database: Database,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * @returns a function that returns the messages per week of a channel, or null if it is too new.
   */
  async reader(
    scope: OrganizationScope,
  ): Promise<(channel: Pick<ChannelRow, 'id' | 'created_at_seconds'>) => number | null> {
    const now = nowSeconds(this.clock)
    const { byChannel } = await this.#current(scope, now)
    return ({ id, created_at_seconds }) =>
      weeklyTraffic(byChannel.get(id) ?? 0, Math.floor((now - created_at_seconds) / daySeconds))
  }

  async #current(scope: OrganizationScope, now: number): Promise<Counted> {
    const known = this.#counted.get(scope.organizationId)
    if (known === undefined) return this.#count(scope, now)
    if (now - known.atSeconds < staleAfterSeconds) return known
    if (!(scope instanceof Transaction)) return this.#count(scope, now)
    // Other writes of the organization would wait for the count.
    this.#countLater(scope.organizationId, now)
    return known
  }

  async #count(scope: OrganizationScope, atSeconds: number): Promise<Counted> {
    const sinceSeconds = atSeconds - windowDays * daySeconds
    const byChannel = await this.messages.countMessagesSince(scope, sinceSeconds)
    const counted = { atSeconds, byChannel }
    this.#counted.set(scope.organizationId, counted)
    return counted
  }

  #countLater(organizationId: number, now: number): void {
    if (this.#counting.has(organizationId)) return
    this.#counting.add(organizationId)
    this.#count(this.database.readCommitted(organizationId), now)
      // The next reader counts again.
      .catch(() => {})
      .finally(() => this.#counting.delete(organizationId))
  }
}

/**
 * @param messages sent in the last 28 days.
 * @returns messages per week with two significant digits, or null in the first seven days.
 */
export function weeklyTraffic(messages: number, ageDays: number): number | null {
  if (ageDays < 7) return null
  const average = Math.floor((messages * 7) / Math.min(ageDays, windowDays))
  if (average === 0) return messages > 0 ? 1 : 0
  const unit = 10 ** Math.max(0, String(average).length - 2)
  return Math.round(average / unit) * unit
}
