import type { Knex } from 'knex'

export const acquireTimeoutMilliseconds = 5000

/** Knex prints what it also throws; what is thrown is enough. */
export const silent = { warn() {}, error() {}, debug() {}, deprecate() {} }

type AfterCreate<Connection> = (
  connection: Connection,
  done: (error?: Error | null) => void,
) => void

/** What the application does with each new connection, and `then` what is done here. */
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

/** The driver that a configuration names: Knex takes the name of a client, or its class. */
export function driverName({ client }: Knex.Config): string {
  if (typeof client !== 'function') return String(client)
  return String((client as { prototype?: { driverName?: string } }).prototype?.driverName)
}
