import type { Knex } from 'knex'

export const acquireTimeoutMilliseconds = 5000

/** Silences Knex's console output; it logs errors that it also throws. */
export const silent = { warn() {}, error() {}, debug() {}, deprecate() {} }

type AfterCreate<Connection> = (
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

/** The name of the driver in a configuration: Knex accepts the name of a client, or its class. */
export function driverName({ client }: Knex.Config): string {
  if (typeof client !== 'function') return String(client)
  return String((client as { prototype?: { driverName?: string } }).prototype?.driverName)
}
