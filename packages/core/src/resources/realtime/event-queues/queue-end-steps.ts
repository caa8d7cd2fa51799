import type { InjectionToken } from 'tsyringe'

import type { Transaction } from '../../../storage/index.js'

/** A queue that was just removed. */
export interface EndedQueue {
  readonly userId: number
  /** Whether the queue received new messages. */
  readonly takesMessages: boolean
  /** The newest event id that its client has acknowledged. */
  readonly acknowledgedId: number
}

/** A step that another resource runs when queues end, in the transaction that removes them. */
export interface QueueEndStep {
  /** Must run a constant number of statements, however many queues there are. */
  ended(tx: Transaction, queues: readonly EndedQueue[]): Promise<void>
}

export const QueueEndStepToken: InjectionToken<QueueEndStep> = Symbol('QueueEndStep')
