import { inject } from 'tsyringe'

import { FollowedLogs } from '../../../events/log/followed-logs.js'
import { ObservedCache } from '../../../events/log/log-observer.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, type Transaction } from '../../../storage/index.js'
import { PushDeviceRepository } from './push-device-repository.js'
import { PushTokenRepository } from './push-token-repository.js'

/** Event kind that invalidates the device owners in the caches of all processes. */
const devicesChanged = '@push_devices'

/** Caches which users have devices, so that messages to other users need no query. */
@perServer()
export class PushDeviceOwners {
  readonly #owners: ObservedCache<ReadonlySet<number>>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(PushTokenRepository) private readonly tokens: PushTokenRepository,
    @inject(PushDeviceRepository) private readonly devices: PushDeviceRepository,
    @inject(FollowedLogs) logs: FollowedLogs,
  ) {
    this.#owners = new ObservedCache(
      logs,
      'push_device_owners',
      (organizationId) => this.#load(organizationId),
      (kind) => kind === devicesChanged,
    )
  }

  /** The ids of all users with a device of any kind. */
  async of(organizationId: number): Promise<ReadonlySet<number>> {
    return this.#owners.get(organizationId)
  }

  /** Marks the transaction as adding or removing a device, which invalidates the cache. */
  noteChange(tx: Transaction, userId: number): void {
    tx.emit({ kind: devicesChanged, data: { userId }, audience: {} })
  }

  async #load(organizationId: number): Promise<ReadonlySet<number>> {
    const scope = this.database.read(organizationId)
    return new Set([
      ...(await this.tokens.listOwnerIds(scope)),
      ...(await this.devices.listOwnerIds(scope)),
    ])
  }
}
