import { networkCodes, tableMissing } from './dialect.js'

export const nodeNotReady = 1047

/** Error codes for conflicts with another transaction, or with a node of the cluster. */
export const retryable = new Set([
  1020, // ER_CHECKREAD: MariaDB from 11.6, if a row has changed since the transaction read it
  nodeNotReady, // ER_UNKNOWN_COM_ERROR: the node of a Galera cluster is not ready
  1205, // ER_LOCK_WAIT_TIMEOUT
  1213, // ER_LOCK_DEADLOCK: Galera too, if another node has committed first
  3101, // ER_TRANSACTION_ROLLBACK_DURING_COMMIT: the same with group replication
])

/** Those of {@link retryable} that say that another transaction holds a lock. */
export const locked = new Set([1205, 1213])

/** Error codes for a statement that was ended, at a time limit or by an administrator. */
export const interrupted = new Set([
  1317, // ER_QUERY_INTERRUPTED
  1969, // ER_STATEMENT_TIMEOUT of MariaDB
  3024, // ER_QUERY_TIMEOUT of MySQL
])

/** Those of {@link retryable} after which the server has rolled back the whole transaction. */
export const rolledBack = new Set([1213, 3101])

/** Error codes for a table, column, index or key that exists already, or no longer. */
export const appliedAlready = new Set([
  1050, // ER_TABLE_EXISTS_ERROR
  1051, // ER_BAD_TABLE_ERROR: the table to drop
  1054, // ER_BAD_FIELD_ERROR: the column to rename
  1060, // ER_DUP_FIELDNAME
  1061, // ER_DUP_KEYNAME
  1068, // ER_MULTIPLE_PRI_KEY
  1091, // ER_CANT_DROP_FIELD_OR_KEY
  1146, // ER_NO_SUCH_TABLE: the table to rename
])

export const unavailableCodes = new Set([
  ...networkCodes,
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
  'ER_CON_COUNT_ERROR',
  'ER_SERVER_SHUTDOWN',
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_CONNECTION_KILLED',
  // There is no space.
  'ER_DISK_FULL',
  'ER_RECORD_FILE_FULL',
  // Galera: the node is not part of the cluster any more, so the outcome is not known.
  'ER_ERROR_DURING_COMMIT',
])

const tooFewRights =
  'its user has too few rights. Grant SELECT, INSERT, UPDATE and DELETE, and to the user who migrates also CREATE, ALTER, DROP, INDEX and REFERENCES'

/** Trying again does not help against these. */
export const unusableReasons: Readonly<Record<number, string>> = {
  1044: tooFewRights, // ER_DBACCESS_DENIED_ERROR
  1045: 'the user or the password is wrong', // ER_ACCESS_DENIED_ERROR
  1049: 'it does not exist. Create it, with utf8mb4', // ER_BAD_DB_ERROR
  1142: tooFewRights, // ER_TABLEACCESS_DENIED_ERROR
  1146: tableMissing, // ER_NO_SUCH_TABLE
}
