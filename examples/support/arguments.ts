import { parseArgs, type ParseArgsConfig } from 'node:util'

import type { Knex } from 'knex'

/** What every example understands on its command line. */
export interface ExampleArguments {
  readonly port: number
  /** An SQLite file, or the address of a server: `mysql://…` or `postgres://…`. */
  readonly database: string
  /** The organization file to start with where the database has none. */
  readonly organization: string | undefined
  readonly development: boolean
  readonly heartbeatSeconds: number | undefined
  readonly rateLimits: 'off' | undefined
  /** As the clients that are to be used know it. */
  readonly extraEmojiType: 'service_extra_emoji' | 'zulip_extra_emoji' | undefined
}

const extraEmojiTypes = ['service_extra_emoji', 'zulip_extra_emoji'] as const

const options = {
  port: { type: 'string', default: '9991' },
  database: { type: 'string' },
  organization: { type: 'string' },
  development: { type: 'boolean', default: false },
  'heartbeat-seconds': { type: 'string' },
  'rate-limits': { type: 'string' },
  'extra-emoji-type': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const satisfies ParseArgsConfig['options']

const usage = (database: string): string => `Options:
  --port NUMBER               where to listen on 127.0.0.1; 0 for any free port (default 9991)
  --database FILE|URL         an SQLite file, mysql://… or postgres://… (default ${database})
  --organization FILE         the organization to create where the database has none
  --development               logins without passwords, and with any; for tests only
  --heartbeat-seconds NUMBER  after how long a waiting client gets a heartbeat, 0.05 to 70 (default 45)
  --rate-limits off           answers any number of requests
  --extra-emoji-type TYPE     ${extraEmojiTypes.join(' or ')}
  --help                      prints this`

/** Ends the process with one line on standard error. */
export function exitWith(code: 1 | 2, message: string): never {
  console.error(message)
  process.exit(code)
}

/**
 * Reads the command line. Prints the options and exits with 0 for `--help`; prints what is wrong
 * and exits with 2 if it is invalid.
 */
export function parseExampleArguments(defaults: { database: string }): ExampleArguments {
  const values = parseValues()
  if (values.help) {
    console.log(usage(defaults.database))
    process.exit(0)
  }
  const heartbeat = values['heartbeat-seconds']
  const rateLimits = values['rate-limits']
  const emojiType = values['extra-emoji-type']
  const extraEmojiType = extraEmojiTypes.find((type) => type === emojiType)
  if (rateLimits !== undefined && rateLimits !== 'off') refuse("--rate-limits takes only 'off'.")
  if (emojiType !== undefined && extraEmojiType === undefined) {
    refuse(`--extra-emoji-type takes ${extraEmojiTypes.join(' or ')}.`)
  }
  return {
    port: numberOf('--port', values.port, { minimum: 0, maximum: 65_535, isWhole: true }),
    database: values.database ?? defaults.database,
    organization: values.organization,
    development: values.development,
    heartbeatSeconds:
      heartbeat === undefined
        ? undefined
        : numberOf('--heartbeat-seconds', heartbeat, { minimum: 0.05, maximum: 70 }),
    rateLimits,
    extraEmojiType,
  }
}

function parseValues() {
  // pnpm passes a bare `--` on, after which nothing would be an option any more.
  const args = process.argv.slice(2).filter((argument) => argument !== '--')
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    // The rest of Node's text says how to pass an argument that begins with a dash.
    const [firstSentence] = (error as Error).message.split(/\. |\n/)
    return refuse(`${firstSentence}.`)
  }
}

function refuse(problem: string): never {
  exitWith(2, `${problem.replace(/\.+$/, '.')} See --help.`)
}

function numberOf(
  name: string,
  text: string,
  { minimum, maximum, isWhole = false }: { minimum: number; maximum: number; isWhole?: boolean },
): number {
  const number = text.trim() === '' ? NaN : Number(text)
  const isRight = number >= minimum && number <= maximum && (!isWhole || Number.isInteger(number))
  if (!isRight) {
    refuse(`${name} takes ${isWhole ? 'an integer' : 'a number'} from ${minimum} to ${maximum}.`)
  }
  return number
}

/** The drivers of databases with addresses. Both names of PostgreSQL's are usual. */
const drivers: Readonly<Record<string, string>> = {
  mysql: 'mysql2',
  postgres: 'pg',
  postgresql: 'pg',
}

/** A Knex configuration for the text of `--database`. */
export function databaseConfig(database: string): Knex.Config {
  const [, scheme] = /^(\w+):\/\//.exec(database) ?? []
  if (scheme === undefined) {
    return { client: 'sqlite3', connection: { filename: database }, useNullAsDefault: true }
  }
  const client = drivers[scheme]
  if (client === undefined) refuse(`--database takes no address that begins with ${scheme}://.`)
  return { client, connection: database }
}
