import { perServer } from '../../kernel/per-server.js'
import type { NewRow, OrganizationScope, Transaction } from '../../storage/index.js'

declare module '../../storage/tables.js' {
  interface Tables {
    push_devices: PushDeviceRow
  }
}

/** A device that gets encrypted notifications. */
export interface PushDeviceRow {
  id: number
  organization_id: number
  user_id: number
  /** The client's own name for its account, in decimal digits: 64 bits. */
  push_account_id: string
  token_kind: 'apns' | 'fcm'
  /** Base64 of 32 bytes, as the client sent it. */
  push_public_key: string
  /** Where the device reached the server. */
  realm_url: string
  /** The relay's id of the device; null until the relay has taken the registration. */
  relay_device_id: number | null
  /** Why the relay has not taken it, for good. */
  error_code: string | null
}

/** A device that the relay knows. */
export type ActivePushDevice = PushDeviceRow & { relay_device_id: number }

@perServer()
export class PushDeviceRepository {
  /** How many the user has. */
  async count(scope: OrganizationScope, userId: number): Promise<number> {
    return scope.count('push_devices', { user_id: userId })
  }

  async findForChange(
    tx: Transaction,
    userId: number,
    pushAccountId: string,
  ): Promise<PushDeviceRow | undefined> {
    return tx.dialect
      .lockForUpdate(
        tx.query('push_devices').where({ user_id: userId, push_account_id: pushAccountId }),
      )
      .first<PushDeviceRow | undefined>()
  }

  async insert(tx: Transaction, row: NewRow<PushDeviceRow>): Promise<number> {
    return tx.insert('push_devices', row)
  }

  async update(tx: Transaction, id: number, changes: Partial<PushDeviceRow>): Promise<void> {
    await tx
      .query('push_devices')
      .where({ id })
      .update(changes as never)
  }

  async list(scope: OrganizationScope, userId: number): Promise<PushDeviceRow[]> {
    return scope.query('push_devices').where({ user_id: userId }).orderBy('id').select('*')
  }

  /** All devices of these users, by age. */
  async listOf(scope: OrganizationScope, userIds: readonly number[]): Promise<PushDeviceRow[]> {
    return scope
      .query('push_devices')
      .whereIn('user_id', [...userIds])
      .orderBy('id')
      .select('*')
  }

  async listMany(scope: OrganizationScope, ids: readonly number[]): Promise<PushDeviceRow[]> {
    return scope
      .query('push_devices')
      .whereIn('id', [...ids])
      .select('*')
  }

  async listOwnerIds(scope: OrganizationScope): Promise<number[]> {
    const rows = await scope
      .query('push_devices')
      .whereNotNull('relay_device_id')
      .distinct<{ user_id: number }[]>('user_id')
    return rows.map((row) => row.user_id)
  }

  /** Removes devices that the push services do not know any more. */
  async deleteRelayed(tx: Transaction, relayDeviceIds: readonly number[]): Promise<void> {
    await tx
      .query('push_devices')
      .whereIn('relay_device_id', [...relayDeviceIds])
      .delete()
  }
}

/** Whether the relay knows the device. */
export function isActive(device: PushDeviceRow): device is ActivePushDevice {
  return device.error_code === null && device.relay_device_id !== null
}
