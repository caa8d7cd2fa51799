import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import { pushDevices, type PushDeviceRow } from './push-devices-table.js'

/** A device that is registered at the relay. */
export type ActivePushDevice = PushDeviceRow & { relay_device_id: number }

@perServer()
export class PushDeviceRepository {
  async list(scope: OrganizationScope, userId: number): Promise<PushDeviceRow[]> {
    return scope.rows(pushDevices).list({ user_id: userId }, 'id')
  }

  /** All devices of these users, oldest first. */
  async listOf(scope: OrganizationScope, userIds: readonly number[]): Promise<PushDeviceRow[]> {
    return scope.rows(pushDevices).list({ user_id: userIds }, 'id')
  }

  async listOwnerIds(scope: OrganizationScope): Promise<number[]> {
    const rows = await scope
      .query('push_devices')
      .whereNotNull('relay_device_id')
      .distinct<{ user_id: number }[]>('user_id')
    return rows.map((row) => row.user_id)
  }

  /** Deletes devices that are no longer registered at the push services. */
  async deleteRelayed(tx: Transaction, relayDeviceIds: readonly number[]): Promise<void> {
    await tx.rows(pushDevices).delete({ relay_device_id: relayDeviceIds })
  }
}

/** Whether the device is registered at the relay. */
export function isActive(device: PushDeviceRow): device is ActivePushDevice {
  return device.error_code === null && device.relay_device_id !== null
}
