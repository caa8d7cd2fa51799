import { perServer } from '../../../kernel/per-server.js'
import type { LeasableRow, NewRow, Transaction } from '../../../storage/index.js'

declare module '../../../storage/rows/tables.js' {
  interface Tables {
    push_registrations: PushRegistrationRow
  }
}

/** A registration that the relay has not accepted yet. */
export interface PushRegistrationRow extends LeasableRow {
  device_id: number
  bouncer_public_key: string
  encrypted_push_registration: string
  asked_at_seconds: number
}

@perServer()
export class PushRegistrationRepository {
  async replace(tx: Transaction, row: NewRow<PushRegistrationRow>): Promise<void> {
    await tx.query('push_registrations').where({ device_id: row.device_id }).delete()
    await tx.insert('push_registrations', row)
  }
}
