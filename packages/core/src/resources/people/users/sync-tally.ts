import type { SyncProblem, SyncResult } from './user-sync-input.js'

export type SyncOutcome = 'created' | 'updated' | 'unchanged' | 'deactivated'

export interface SyncOutcomes {
  readonly counts: Readonly<Record<SyncOutcome, number>>
  readonly problems: readonly SyncProblem[]
}

/** Counts the changes of one transaction, which may be repeated. */
export class SyncTally implements SyncOutcomes {
  readonly counts = { created: 0, updated: 0, unchanged: 0, deactivated: 0 }
  readonly problems: SyncProblem[] = []

  count(outcome: SyncOutcome, users = 1): void {
    this.counts[outcome] += users
  }

  note({ externalId }: { readonly externalId: string }, message: string): void {
    this.problems.push({ externalId, message })
  }
}

export function totalOf(
  outcomes: readonly SyncOutcomes[],
  problems: readonly SyncProblem[],
): SyncResult {
  const sum = (outcome: SyncOutcome): number =>
    outcomes.reduce((users, { counts }) => users + counts[outcome], 0)
  return {
    created: sum('created'),
    updated: sum('updated'),
    unchanged: sum('unchanged'),
    deactivated: sum('deactivated'),
    problems: [...problems, ...outcomes.flatMap((one) => one.problems)],
  }
}
