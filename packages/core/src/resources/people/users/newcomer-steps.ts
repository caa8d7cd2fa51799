import type { InjectionToken } from 'tsyringe'

import type { Transaction } from '../../../storage/index.js'
import type { UserRow } from './user-rows.js'

/** A step that another resource runs for every new user, in the transaction that creates them. */
export interface NewcomerStep {
  /** Called after the events about the new user; also for bots. */
  welcome(tx: Transaction, user: UserRow): Promise<void>
}

/**
 * Resolved on each use, because the implementing resources depend on this module: injecting the
 * steps themselves would be circular.
 */
export const NewcomerStepsToken: InjectionToken<() => readonly NewcomerStep[]> =
  Symbol('NewcomerSteps')
