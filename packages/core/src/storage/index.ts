export type { AudienceChange } from './audience-store.js'
export { Backlogs, type WorkBacklogs } from './backlogs.js'
export { Database, type ApplicationTransaction, type DatabaseRules } from './database.js'
export {
  dueIntervalMilliseconds,
  DueRows,
  type DueReference,
  type DueRow,
  type LeasableRow,
} from './due-rows.js'
export { EventLogReader, recordOf } from './event-log-reader.js'
export type {
  ClusterConfiguration,
  DatabaseOption,
  KnexConfiguration,
  KnexInstance,
  KnexTransaction,
} from './host-knex.js'
export { parseJson, toJson, type Json } from '../kernel/json.js'
export { idList } from './id-list.js'
export { LibraryWatch } from './library-watch.js'
export { Migrator } from './migrator.js'
export { NodeSqliteClient } from './node-sqlite-client.js'
export type { PreparedWrite } from './prepared-write.js'
export { timeLimited } from './time-limit.js'
export { OrganizationScope, type NewRow, type RowsSize } from './scope.js'
export type { AuditRow, EventRow, OrganizationRow, TableName, Tables } from './tables.js'
export { Transaction } from './transaction.js'
export { UnitOfWork } from './unit-of-work.js'
export { unavailabilityOf, withRemedy } from './pools.js'
export { WriteProbe } from './write-probe.js'
export { WrittenPositions } from './written-positions.js'
