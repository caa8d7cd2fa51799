import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { Database, type NewRow, type Transaction } from '../../../storage/index.js'

declare module '../../../storage/tables.js' {
  interface Tables {
    push_registrations: PushRegistrationRow
  }
}

/** A registration that the relay has not accepted yet. */
export interface PushRegistrationRow {
  device_id: number
  organization_id: number
  bouncer_public_key: string
  encrypted_push_registration: string
  asked_at_seconds: number
  attempts: number
  /** When the next attempt is due; every attempt moves it into the future, as a lease. */
  due_at_seconds: number
}

@perServer()
export class PushRegistrationRepository {
  constructor(@inject(Database) private readonly database: Database) {}

  /** Up to `limit` organizations with registrations that are due. */
  async listWaitingOrganizationIds(nowSeconds: number, limit: number): Promise<number[]> {
    const rows = await this.database
      .reader(this.database.table('push_registrations'))
      .where('due_at_seconds', '<=', nowSeconds)
      .distinct<{ organization_id: number }[]>('organization_id')
      .limit(limit)
    return rows.map((row) => row.organization_id)
  }

  async replace(tx: Transaction, row: NewRow<PushRegistrationRow>): Promise<void> {
    await tx.query('push_registrations').where({ device_id: row.device_id }).delete()
    await tx.insert('push_registrations', row)
  }

  /** The registrations that are due, with an exclusive lock until the transaction ends. */
  async lockDue(
    tx: Transaction,
    nowSeconds: number,
    limit: number,
  ): Promise<PushRegistrationRow[]> {
    const query = tx
      .query('push_registrations')
      .where('due_at_seconds', '<=', nowSeconds)
      .orderBy('due_at_seconds')
      .limit(limit)
      .select<PushRegistrationRow[]>('*')
    return (await tx.dialect.lockForUpdate(query)) as PushRegistrationRow[]
  }

  /** Increments the attempts of each registration, and sets when the next one is due. */
  async claim(tx: Transaction, deviceIds: readonly number[], dueAtSeconds: number): Promise<void> {
    await tx
      .query('push_registrations')
      .whereIn('device_id', [...deviceIds])
      .increment('attempts', 1)
      .update({ due_at_seconds: dueAtSeconds } as never)
  }

  /** @returns false if there was a later attempt. */
  async postpone(
    tx: Transaction,
    attempt: PushRegistrationRow,
    dueAtSeconds: number,
  ): Promise<boolean> {
    const changed = await tx
      .query('push_registrations')
      .where(attemptColumns(attempt))
      .update({ due_at_seconds: dueAtSeconds } as never)
    return changed > 0
  }

  /** @returns false if there was a later attempt. */
  async delete(tx: Transaction, attempt: PushRegistrationRow): Promise<boolean> {
    return (await tx.query('push_registrations').where(attemptColumns(attempt)).delete()) > 0
  }
}

function attemptColumns({
  device_id,
  asked_at_seconds,
  attempts,
}: PushRegistrationRow): Partial<PushRegistrationRow> {
  return { device_id, asked_at_seconds, attempts }
}
