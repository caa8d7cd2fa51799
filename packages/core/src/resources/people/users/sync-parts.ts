import { injectAll, type InjectionToken } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import type { SyncEntry, SyncOptions, SyncProblem } from './user-sync-input.js'

/** An active account, and what the application wants it to be. */
export interface SyncedAccount {
  readonly id: number
  readonly entry: SyncEntry
}

/** How accounts differ from what the application wants. */
export interface SyncDifferences {
  readonly changedIds: ReadonlySet<number>
  /** Accounts that cannot be as the application wants them. */
  readonly problems: readonly SyncProblem[]
}

/** The part of accounts that another resource stores, during one call of `chat.users.sync`. */
export interface StartedSyncPart {
  /**
   * Finds the accounts that must be changed.
   *
   * @param accounts at most 1,000; the number of statements does not depend on theirs.
   */
  compare(scope: OrganizationScope, accounts: readonly SyncedAccount[]): Promise<SyncDifferences>
  /** Changes the accounts that differ, with the usual events. @param accounts as for `compare`. */
  apply(tx: Transaction, accounts: readonly SyncedAccount[]): Promise<SyncDifferences>
}

/** Synchronizes a part of accounts that another resource stores. */
export interface SyncPart {
  /** @returns undefined if no user of the list has any of it. */
  start(
    organizationId: number,
    entries: readonly SyncEntry[],
    options: SyncOptions,
  ): Promise<StartedSyncPart | undefined>
}

export const SyncPartToken: InjectionToken<SyncPart> = Symbol('SyncPart')

/** All parts as one. */
@perServer()
export class SyncParts {
  constructor(@injectAll(SyncPartToken) private readonly parts: readonly SyncPart[]) {}

  async start(
    organizationId: number,
    entries: readonly SyncEntry[],
    options: SyncOptions,
  ): Promise<StartedSyncPart> {
    const started: StartedSyncPart[] = []
    for (const part of this.parts) {
      const one = await part.start(organizationId, entries, options)
      if (one !== undefined) started.push(one)
    }
    return {
      compare: async (scope, accounts) =>
        merged(started, accounts, (part) => part.compare(scope, accounts)),
      apply: async (tx, accounts) => merged(started, accounts, (part) => part.apply(tx, accounts)),
    }
  }
}

async function merged(
  parts: readonly StartedSyncPart[],
  accounts: readonly SyncedAccount[],
  call: (part: StartedSyncPart) => Promise<SyncDifferences>,
): Promise<SyncDifferences> {
  const changedIds = new Set<number>()
  const problems: SyncProblem[] = []
  if (accounts.length === 0) return { changedIds, problems }
  for (const part of parts) {
    const differences = await call(part)
    for (const id of differences.changedIds) changedIds.add(id)
    problems.push(...differences.problems)
  }
  return { changedIds, problems }
}
