import type { InjectionToken } from 'tsyringe'

import type { Transaction } from '../../../storage/index.js'
import type { UserRow } from './user-rows.js'

/** A step that another resource runs for new users, in the transaction that creates them. */
export interface NewcomerStep {
  /**
   * Called after the events about the new users; also for bots. The number of statements should not
   * depend on the number of users.
   */
  welcome(tx: Transaction, users: readonly UserRow[]): Promise<void>
}

export const NewcomerStepToken: InjectionToken<NewcomerStep> = Symbol('NewcomerStep')
