import { foldCase } from '../../../domain/texts/folding.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import { botDetails, type BotDetailsRow } from './bot-details-table.js'

export type BotDetails = Omit<BotDetailsRow, 'id' | 'organization_id' | 'user_id'>

const defaults: BotDetails = {
  default_sending_channel_id: null,
  default_events_channel_id: null,
  default_all_public_channels: false,
  service_base_url: null,
  service_interface: null,
  service_token_sealed: null,
}

@perServer()
export class BotRepository {
  async listDetails(
    scope: OrganizationScope,
    userIds: readonly number[],
  ): Promise<BotDetailsRow[]> {
    return scope.rows(botDetails).list({ user_id: userIds })
  }

  /** Stores the details of bots that have none yet; absent properties get their defaults. */
  async insertMany(
    tx: Transaction,
    rows: readonly ({ readonly user_id: number } & Partial<BotDetails>)[],
  ): Promise<void> {
    await tx.rows(botDetails).insertMany(rows.map((row) => ({ ...defaults, ...row })))
  }

  /** A bot without details gets the defaults of the other properties. */
  async change(tx: Transaction, user_id: number, changes: Partial<BotDetails>): Promise<void> {
    const [present] = await this.listDetails(tx, [user_id])
    if (present === undefined) {
      await tx.rows(botDetails).insert({ user_id, ...defaults, ...changes })
      return
    }
    await tx.query('bot_details').where({ user_id }).update(changes)
  }

  /** Whether an active user or bot has the name. */
  async isNameInUse(
    scope: OrganizationScope,
    fullName: string,
    exceptId: number,
  ): Promise<boolean> {
    const other = await scope
      .query('users')
      .where({ is_active: true, full_name_key: foldCase(fullName) })
      .whereNot({ id: exceptId })
      .first<{ id: number } | undefined>('id')
    return other !== undefined
  }
}
