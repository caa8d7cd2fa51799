import type { InjectionToken } from 'tsyringe'

import type { Transaction } from '../../storage/index.js'

/** A queue that was just removed. */
export interface EndedQueue {
  readonly userId: number
  /** Whether new messages were among what it took. */
  readonly takesMessages: boolean
  /** The newest id that its client has shown to have. */
  readonly acknowledgedId: number
}

/** What another noun does about queues that end, in the transaction that removes them. */
export interface QueueEndStep {
  /** The number of its statements must be constant, however many queues there are. */
  ended(tx: Transaction, queues: readonly EndedQueue[]): Promise<void>
}

/** Asked for the steps each time, because the nouns behind them know the queues in turn. */
export const QueueEndStepsToken: InjectionToken<() => readonly QueueEndStep[]> =
  Symbol('QueueEndSteps')
