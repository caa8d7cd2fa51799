import { perServer } from '../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../storage/index.js'

declare module '../../storage/tables.js' {
  interface Tables {
    subscriptions: SubscriptionRow
  }
}

export interface SubscriptionRow {
  organization_id: number
  channel_id: number
  user_id: number
  is_active: boolean | number
  /** Whether the user is active; kept here so that a send reads one index only. */
  is_user_active: boolean | number
  /** `#rrggbb`, lower case. */
  color: string
  is_muted: boolean | number
  pin_to_top: boolean | number
  /** Null inherits the user's setting; likewise the four below. */
  desktop_notifications: boolean | number | null
  audible_notifications: boolean | number | null
  push_notifications: boolean | number | null
  email_notifications: boolean | number | null
  wildcard_mentions_notify: boolean | number | null
}

@perServer()
export class SubscriptionRepository {
  async listOfUser(scope: OrganizationScope, userId: number): Promise<SubscriptionRow[]> {
    return scope.query('subscriptions').where({ user_id: userId }).select('*')
  }

  async insert(
    tx: Transaction,
    rows: readonly Omit<SubscriptionRow, 'organization_id'>[],
  ): Promise<void> {
    await tx.insert('subscriptions', rows)
  }
}
