import type { InjectionToken } from 'tsyringe'

import type { Transaction } from '../../../storage/index.js'
import type { UserRow } from './user-rows.js'

/** A step that another resource runs for every new user, in the transaction that creates them. */
export interface NewcomerStep {
  /** Called after the events about the new user; also for bots. */
  welcome(tx: Transaction, user: UserRow): Promise<void>
}

export const NewcomerStepToken: InjectionToken<NewcomerStep> = Symbol('NewcomerStep')
