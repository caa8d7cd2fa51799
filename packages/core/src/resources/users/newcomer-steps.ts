import type { InjectionToken } from 'tsyringe'

import type { Transaction } from '../../storage/index.js'
import type { UserRow } from './user-repository.js'

/** What another noun does about every new user, in the transaction that creates them. */
export interface NewcomerStep {
  /** Called after the user was announced; bots come here too. */
  welcome(tx: Transaction, user: UserRow): Promise<void>
}

/** Asked for the steps each time, because the nouns behind them know the users in turn. */
export const NewcomerStepsToken: InjectionToken<() => readonly NewcomerStep[]> =
  Symbol('NewcomerSteps')
