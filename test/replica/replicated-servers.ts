import type { Knex } from 'knex'

import { ReplicatedMysql, whyWithoutMysql } from './replicated-mysql.js'
import { ReplicatedPostgres, whyWithoutPostgres } from './replicated-postgres.js'

/** A server, and another one that replicates it. */
export interface ReplicatedServers {
  readonly primaryConfig: Knex.Config
  readonly primaryPort: number
  readonly replicaConfig: { readonly client: 'mysql2' | 'pg'; readonly connection: string }
  /** The server of the replica. */
  readonly replicaServer: { shutDown(): Promise<void>; startAgain(): Promise<void> }
  /** The primary at another address, with a user who cannot write at the replica. */
  primaryConfigAt(port: number): Promise<Knex.Config>
  shutDownPrimary(): Promise<void>
  /** Lets the replica be a primary. */
  promote(): Promise<void>
  /** Stops the replica where it is. */
  hold(): Promise<void>
  follow(): Promise<void>
  /** Resolves when the replica has everything that is committed now. */
  caughtUp(): Promise<void>
  /** The number of reads that the replica has answered. Only differences mean anything. */
  reads(): Promise<number>
  /** Lets reads of messages fail at the replica only. @returns what ends that. */
  breakReads(): Promise<() => Promise<void>>
  /** The processes in which the replica answers. */
  processIds(): Promise<readonly number[]>
  stop(): Promise<void>
}

/** The kinds of servers, and why tests of one are skipped: false if they are not. */
export const replicatedKinds = [
  { name: 'mysql', start: () => ReplicatedMysql.start(), whyNot: whyWithoutMysql },
  { name: 'postgres', start: () => ReplicatedPostgres.start(), whyNot: whyWithoutPostgres },
] as const
