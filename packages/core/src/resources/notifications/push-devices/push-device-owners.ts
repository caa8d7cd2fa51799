import { inject } from 'tsyringe'

import { defineRecord } from '../../../events/record-kind.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { SharedValues, type SharedValue } from '../../organization/organizations/index.js'
import { PushDeviceRepository } from './push-device-repository.js'
import { PushTokenRepository } from './push-token-repository.js'

/** The devices of a user have changed. */
const devicesChanged = defineRecord<{ readonly userId: number }>('@push_devices')

/** Caches which users have devices, so that messages to other users need no query. */
@perServer()
export class PushDeviceOwners {
  readonly #owners: SharedValue<ReadonlySet<number>>

  constructor(
    @inject(PushTokenRepository) tokens: PushTokenRepository,
    @inject(PushDeviceRepository) devices: PushDeviceRepository,
    @inject(SharedValues) shared: SharedValues,
  ) {
    this.#owners = shared.define('push_device_owners', {
      load: async (scope) =>
        new Set([...(await tokens.listOwnerIds(scope)), ...(await devices.listOwnerIds(scope))]),
      changedBy: [devicesChanged],
    })
  }

  /** The ids of all users with a device of any kind. */
  async of(organizationId: number): Promise<ReadonlySet<number>> {
    return this.#owners.of(organizationId)
  }

  /** Marks the transaction as adding or removing a device, which invalidates the cache. */
  noteChange(tx: Transaction, userId: number): void {
    tx.emit(devicesChanged({ userId }))
  }
}
