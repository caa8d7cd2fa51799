import knexPackage, { type Knex } from 'knex'

import { driverCode, networkCodes, type Dialect } from '../dialects/dialect.js'

export const acquireTimeoutMilliseconds = 5000

/** Silences Knex's console output; it logs errors that it also throws. */
export const silent = { warn() {}, error() {}, debug() {}, deprecate() {} }

export type AfterCreate<Connection> = (
  connection: Connection,
  done: (error?: Error | null) => void,
) => void

/** Runs the application's `afterCreate` for each new connection, and `then` afterwards. */
export function afterApplication<Connection>(
  { pool }: Knex.Config,
  then: AfterCreate<Connection>,
): AfterCreate<Connection> {
  const first = pool?.afterCreate as AfterCreate<Connection> | undefined
  if (first === undefined) return then
  return (connection, done) => {
    first(connection, (error) => {
      if (error === undefined || error === null) then(connection, done)
      else done(error)
    })
  }
}

/** Whether no connection of a pool was free in time. */
export function isPoolExhausted(error: unknown): boolean {
  return (error as Error | undefined)?.name === 'KnexTimeoutError'
}

/** The message to log if an error says that the database cannot serve now; undefined for others. */
export function unavailabilityOf(dialect: Dialect, error: unknown): string | undefined {
  if (!dialect.isUnavailable(error)) return undefined
  if (isPoolExhausted(error)) return 'All connections to the database are in use'
  return dialect.isInterrupted(error)
    ? 'The database has ended a statement, at a time limit or because an administrator did'
    : 'The database is unavailable'
}

/** The error itself, or one with the remedy if trying again does not help. */
export function withRemedy(
  { dialect, filename }: { readonly dialect: Dialect; readonly filename: string | undefined },
  error: unknown,
): unknown {
  const { code } = driverCode(error)
  if (networkCodes.some((one) => one === code)) {
    // The error of a name with several addresses has no text.
    const what = error instanceof Error && error.message !== '' ? error.message : code
    return new Error(
      `The database cannot be reached: is its server running, at this host and port? ${what}`,
      { cause: error },
    )
  }
  const reason = dialect.unusableReasonOf(error)
  if (reason === undefined) return error
  const database = filename === undefined ? 'The database' : `The database file ${filename}`
  return new Error(`${database} cannot be used: ${reason}`, { cause: error })
}

/** The name of the driver in a configuration: Knex accepts the name of a client, or its class. */
export function driverName({ client }: Knex.Config): string {
  if (typeof client !== 'function') return String(client)
  return String((client as { prototype?: { driverName?: string } }).prototype?.driverName)
}

/** @throws {TypeError} if the configuration has no connection. */
export function requireConnection({ connection }: Knex.Config, option = 'database'): void {
  // Knex itself only reports that it cannot acquire a connection, at the first query.
  if (connection === undefined || connection === null) {
    throw new TypeError(`${option}.connection is missing: an address or an object with host, …`)
  }
}

/** Opens a pool. @throws {Error} with installation instructions if the driver is missing. */
export function withDriver(config: Knex.Config): Knex {
  try {
    return knexPackage(config)
  } catch (cause) {
    throw driverError(driverName(config), cause)
  }
}

/** An error that says how to install the driver. */
export function driverError(name: string, cause: unknown): Error {
  // Knex has two names for one package.
  const packageName = name === 'sqlite' ? 'sqlite3' : name
  const text = String(cause)
  // Package managers install a driver without its compiled part if its scripts may not run.
  const isNotCompiled = /bindings file|\.node\b/.test(text)
  const remedy = isNotCompiled
    ? `: its compiled part is missing or of another version of Node.js. Allow its install script ` +
      `(npm install-scripts approve ${packageName}, pnpm approve-builds), then run npm rebuild ${packageName}`
    : `; npm install ${packageName}`
  const end = `${name === 'node:sqlite' ? '' : remedy}: ${text}`
  return new Error(`The driver of the database, '${name}', cannot be loaded${end}`, { cause })
}
