import type { Clock } from '../kernel/clock.js'
import type { Logger } from '../kernel/logger.js'
import type { Telemetry } from '../kernel/telemetry/telemetry.js'
import type { KnexConfiguration } from './connections/host-knex.js'

export interface DatabaseRules {
  /** Whether the process may load SQLite libraries other than the chat's. @default false */
  readonly allowOtherSqliteLibraries?: boolean
  /** A copy of the database. @default none */
  readonly readReplica?: KnexConfiguration | undefined
}

export interface DatabaseParts extends DatabaseRules {
  /** Reports the statements. @default without a tracer */
  readonly telemetry?: Telemetry
  /** @default the machine's clock */
  readonly clock?: Clock
  /** @default silent */
  readonly logger?: Logger
}
