import { driverCode, tableMissing } from './dialect.js'

/** Primary result codes of SQLite, which every driver reports differently. */
const codeNames: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  9: 'SQLITE_INTERRUPT',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
}

const unavailableCodes = new Set([
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_CANTOPEN',
  'SQLITE_IOERR',
  'SQLITE_FULL',
  'SQLITE_READONLY',
])

/** Trying again does not help against these, by which the process cannot use the file. */
const unusableReasons: Readonly<Record<string, string>> = {
  SQLITE_READONLY: 'it cannot be written. Make the file and its folder writable for the process',
  SQLITE_CANTOPEN:
    'it cannot be opened. Create its folder, and make file and folder writable for the process',
  SQLITE_NOTADB: 'it is not a database of SQLite. Restore a backup, or use another file',
  SQLITE_CORRUPT: 'it is damaged. Restore a backup',
}

/**
 * The name of the primary result code: `SQLITE_CONSTRAINT` for `SQLITE_CONSTRAINT_UNIQUE`. Empty
 * if the error is not from SQLite.
 */
function primaryCode(error: unknown): string {
  const { errcode } = (error ?? {}) as { errcode?: unknown }
  // node:sqlite: an extended result code, with the primary one in its lowest byte.
  if (typeof errcode === 'number') return codeNames[errcode & 0xff] ?? ''
  // better-sqlite3 looks for the folder itself, and its error has no code.
  if (String(error).includes('directory does not exist')) return 'SQLITE_CANTOPEN'
  return /^SQLITE_[A-Z]+/.exec(driverCode(error).code)?.[0] ?? ''
}

/** Whether another connection holds a lock that the statement needs. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === 'SQLITE_BUSY'
}

/** Whether the file, or the connection, can only be read. */
export function isReadOnly(error: unknown): boolean {
  return primaryCode(error) === 'SQLITE_READONLY'
}

/** Whether the statement was ended from outside. */
export function isInterrupted(error: unknown): boolean {
  return primaryCode(error) === 'SQLITE_INTERRUPT'
}

/** Why the database cannot be used, and what to do; undefined if the error is another one. */
export function unusableReasonOf(error: unknown): string | undefined {
  if (String(error).includes('no such table')) return tableMissing
  return unusableReasons[primaryCode(error)]
}

/** Whether the file is currently unavailable. */
export function isFileUnavailable(error: unknown): boolean {
  return unavailableCodes.has(primaryCode(error))
}

/** Whether `error` is a violation of a unique key. */
export function isUniqueViolation(error: unknown): boolean {
  return primaryCode(error) === 'SQLITE_CONSTRAINT' && String(error).includes('UNIQUE')
}
