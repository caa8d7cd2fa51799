import { perServer } from '../../../kernel/per-server.js'
import type { NewRow, Transaction } from '../../../storage/index.js'
import type { PushRegistrationRow } from './push-registrations-table.js'

@perServer()
export class PushRegistrationRepository {
  async replace(tx: Transaction, row: NewRow<PushRegistrationRow>): Promise<void> {
    await tx.query('push_registrations').where({ device_id: row.device_id }).delete()
    await tx.insert('push_registrations', row)
  }
}
