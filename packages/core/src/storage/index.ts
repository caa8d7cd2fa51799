export type { AudienceChange } from './log/audience-store.js'
export { Backlogs, type WorkBacklogs } from './deferred-work/backlogs.js'
export { Database, type ApplicationTransaction } from './database.js'
export type { DatabaseRules } from './database-rules.js'
export {
  dueIntervalMilliseconds,
  DueRows,
  type DueReference,
  type DueRow,
  type LeasableRow,
} from './deferred-work/due-rows.js'
export { EventLogReader, recordOf } from './log/event-log-reader.js'
export type {
  ClusterConfiguration,
  DatabaseDriver,
  DatabaseOption,
  KnexClient,
  KnexConfiguration,
  KnexInstance,
  KnexTransaction,
  PooledConfiguration,
} from './connections/host-knex.js'
export { parseJson, toJson, type Json } from '../kernel/json.js'
export { idList } from './rows/id-list.js'
export { LibraryWatch } from './connections/library-watch.js'
export { Migrator, type PendingMigrations } from './migrations/migrator.js'
export { NodeSqliteClient } from './connections/node-sqlite-client.js'
export type { PreparedWrite } from './transactions/prepared-write.js'
export { timeLimited } from './dialects/time-limit.js'
export { OrganizationScope, type NewRow } from './rows/scope.js'
export type { OrganizationRow, TableName, Tables } from './rows/tables.js'
export type { AuditRow } from './log/audit-log-table.js'
export type { EventRow } from './log/events-table.js'
export type { ExecutorResult, TransactionExecutor } from './connections/transaction-executor.js'
export { Transaction } from './transactions/transaction.js'
export { UnitOfWork } from './transactions/unit-of-work.js'
export { unavailabilityOf, withRemedy } from './connections/pools.js'
export { WriteProbe } from './write-probe.js'
