import { isPoolExhausted } from '../connections/pools.js'
import { driverCode, networkCodes, tableMissing } from './dialect.js'

/** SQLSTATE codes for conflicts with another transaction. */
const retryable = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '55P03', // lock_not_available: `lock_timeout`
])

/** After these, or without a code, the connection is lost. */
const lostCodes = new Set([
  ...networkCodes,
  '25P03', // idle_in_transaction_session_timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
])

/** The error `read_only_sql_transaction`: the server is a replica, or is being switched over. */
const readOnlyTransaction = '25006'

/** The error `query_canceled`: by `statement_timeout`, or by an administrator. */
const canceled = '57014'

const unavailableCodes = new Set([
  readOnlyTransaction,
  '53100', // disk_full
  '53200', // out_of_memory
  '53300', // too_many_connections
  canceled,
])

/** Errors of the driver, which have no code. */
const lostConnection =
  /Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|Connection ended unexpectedly/

const tooFewRights =
  'its user has too few rights. Grant CREATE and USAGE on the schema to the user who migrates, and SELECT, INSERT, UPDATE and DELETE on the tables and USAGE, SELECT and UPDATE on their sequences to the other'

/** Trying again does not help against these. */
const unusableReasons: Readonly<Record<string, string>> = {
  '28000': 'the server does not let its user in. See its pg_hba.conf',
  '28P01': 'the user or the password is wrong',
  '3D000': "it does not exist. Create it, with ENCODING 'UTF8'",
  '3F000': 'there is no schema for its tables. Create one, and put it into search_path of the user',
  '42501': tooFewRights,
  '42P01': tableMissing,
}

export const isReplicaProblem =
  'is a replica, where nothing can be written. Name the primary in the option database, and this server in readReplica'

/** What the server would report at the first write. */
export function replicaError(): Error {
  return Object.assign(new Error(`The database ${isReplicaProblem}`), { code: readOnlyTransaction })
}

/** Whether the transaction, or the server, cannot be written. */
export function isReadOnly(error: unknown): boolean {
  return driverCode(error).code === readOnlyTransaction
}

export function isUniqueViolation(error: unknown): boolean {
  return driverCode(error).code === '23505'
}

export function isRetryable(error: unknown): boolean {
  return retryable.has(driverCode(error).code) || isPlanOutdated(error)
}

/** Whether a statement that has a name was planned before its tables were changed. */
export function isPlanOutdated(error: unknown): boolean {
  return driverCode(error).code === '0A000' && /cached plan/.test((error as Error).message)
}

/** Whether another transaction holds a lock. */
export function isLocked(error: unknown): boolean {
  const { code } = driverCode(error)
  return code === '40P01' || code === '55P03'
}

/** Whether the outcome of the statement is not known, because its connection is lost. */
export function isConnectionLost(error: unknown): boolean {
  const { code } = driverCode(error)
  if (code === '') return lostConnection.test(String((error as Error | undefined)?.message))
  return lostCodes.has(code) || code.startsWith('08')
}

export function isUnavailable(error: unknown): boolean {
  return (
    isRetryable(error) ||
    isConnectionLost(error) ||
    unavailableCodes.has(driverCode(error).code) ||
    isPoolExhausted(error)
  )
}

export function unusableReasonOf(error: unknown): string | undefined {
  return unusableReasons[driverCode(error).code]
}

/** Whether the statement was ended by `statement_timeout`, or by an administrator. */
export function isInterrupted(error: unknown): boolean {
  return driverCode(error).code === canceled
}
