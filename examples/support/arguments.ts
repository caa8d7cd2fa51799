import { parseArgs } from 'node:util'

import type { Knex } from 'knex'

/** What every example understands on its command line. */
export interface ExampleArguments {
  readonly port: number
  /** A file, or a `mysql://` address. */
  readonly database: string
  /** The organization file to start with where the database has none. */
  readonly organization: string | undefined
  readonly development: boolean
  readonly heartbeatSeconds: number | undefined
  readonly rateLimits: 'off' | undefined
  /** As the clients that are to be used know it. */
  readonly extraEmojiType: 'service_extra_emoji' | 'zulip_extra_emoji' | undefined
}

/** Reads the command line; prints what is wrong and exits where it cannot be understood. */
export function parseExampleArguments(defaults: { database: string }): ExampleArguments {
  // pnpm passes a bare `--` on, after which nothing would be an option any more.
  const args = process.argv.slice(2).filter((argument) => argument !== '--')
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '9991' },
      database: { type: 'string', default: defaults.database },
      organization: { type: 'string' },
      development: { type: 'boolean', default: false },
      'heartbeat-seconds': { type: 'string' },
      'rate-limits': { type: 'string' },
      'extra-emoji-type': { type: 'string' },
    },
  })
  const heartbeat = values['heartbeat-seconds']
  return {
    port: Number(values.port),
    database: values.database,
    organization: values.organization,
    development: values.development,
    heartbeatSeconds: heartbeat === undefined ? undefined : Number(heartbeat),
    rateLimits: values['rate-limits'] === 'off' ? 'off' : undefined,
    extraEmojiType: values['extra-emoji-type'] as ExampleArguments['extraEmojiType'],
  }
}

/** A Knex configuration for a file or a `mysql://` address. */
export function databaseConfig(database: string): Knex.Config {
  return database.startsWith('mysql://')
    ? { client: 'mysql2', connection: database }
    : { client: 'sqlite3', connection: { filename: database }, useNullAsDefault: true }
}
