import { LRUCache } from 'lru-cache'
import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import type { ChannelRow } from './channel-rows.js'
import { ChannelSubscriberRepository } from './channel-subscriber-repository.js'

/** Limit of the channels of all organizations whose counts are kept: some 20 MB. */
const maxKnownChannels = 200_000

type CountableChannel = Pick<ChannelRow, 'id' | 'receivers_version'>

interface Count {
  /** The version of the channel's receivers that was counted. */
  readonly version: number
  readonly subscribers: number
}

/**
 * Numbers of active subscribers. Registrations need those of all channels, of which few have changed
 * since the last one: what was counted is kept, and the channel's row tells whether it still holds.
 */
@perServer()
export class SubscriberCounts {
  /** By organization and channel. */
  readonly #known = new LRUCache<number, ReadonlyMap<number, Count>>({
    maxSize: maxKnownChannels,
    sizeCalculation: (counts) => 1 + counts.size,
  })

  constructor(
    @inject(ChannelSubscriberRepository) private readonly subscribers: ChannelSubscriberRepository,
  ) {}

  /**
   * The number of active subscribers of each channel that has any.
   *
   * @param channels rows that were read from `scope`.
   */
  async of(
    scope: OrganizationScope,
    channels: readonly CountableChannel[],
  ): Promise<ReadonlyMap<number, number>> {
    // Elsewhere the subscribers may be newer than the rows, or not committed.
    if (!scope.isCommittedState) return this.#count(scope, channels)
    const known = this.#known.get(scope.organizationId) ?? new Map<number, Count>()
    const changed = channels.filter(
      ({ id, receivers_version }) => known.get(id)?.version !== receivers_version,
    )
    const counted = await this.#count(scope, changed)
    if (changed.length > 0) this.#keep(scope.organizationId, changed, counted)
    const isCounted = new Set(changed.map(({ id }) => id))
    return new Map(
      channels.map(({ id }) => [
        id,
        (isCounted.has(id) ? counted.get(id) : known.get(id)?.subscribers) ?? 0,
      ]),
    )
  }

  async #count(
    scope: OrganizationScope,
    channels: readonly CountableChannel[],
  ): Promise<ReadonlyMap<number, number>> {
    if (channels.length === 0) return new Map()
    return this.subscribers.countSubscribers(
      scope,
      channels.map(({ id }) => id),
    )
  }

  #keep(
    organizationId: number,
    channels: readonly CountableChannel[],
    counted: ReadonlyMap<number, number>,
  ): void {
    // Others may have been counted meanwhile.
    const counts = new Map(this.#known.get(organizationId))
    for (const { id, receivers_version: version } of channels) {
      counts.set(id, { version, subscribers: counted.get(id) ?? 0 })
    }
    this.#known.set(organizationId, counts)
  }
}
