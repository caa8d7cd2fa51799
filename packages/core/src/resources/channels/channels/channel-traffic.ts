import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import type { OrganizationScope } from '../../../storage/index.js'
import type { ChannelRow } from './channel-rows.js'
import { ChannelTrafficRepository } from './channel-traffic-repository.js'

const daySeconds = 86_400
const windowDays = 28
const staleAfterSeconds = 3600

/** Estimates the number of messages in each channel. The counts are cached for an hour. */
@perServer()
export class ChannelTraffic {
  readonly #counted = new Map<
    number,
    { readonly atSeconds: number; readonly counts: ReadonlyMap<number, number> }
  >()

  constructor(
    @inject(ChannelTrafficRepository) private readonly messages: ChannelTrafficRepository,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * @returns a function that returns the messages per week of a channel, or null if it is too new.
   */
  async reader(
    scope: OrganizationScope,
  ): Promise<(channel: Pick<ChannelRow, 'id' | 'created_at_seconds'>) => number | null> {
    const now = nowSeconds(this.clock)
    const known = this.#counted.get(scope.organizationId)
    let counts = known?.counts
    if (known === undefined || now - known.atSeconds >= staleAfterSeconds) {
      counts = await this.messages.countMessagesSince(scope, now - windowDays * daySeconds)
      this.#counted.set(scope.organizationId, { atSeconds: now, counts })
    }
    return ({ id, created_at_seconds }) =>
      weeklyTraffic(counts?.get(id) ?? 0, Math.floor((now - created_at_seconds) / daySeconds))
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
