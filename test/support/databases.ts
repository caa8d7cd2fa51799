import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { createChatServer, NodeSqliteClient } from '@parley/core'
import type { Knex } from 'knex'
import { createConnection } from 'mysql2/promise'

import { PostgresDatabases } from './postgres-databases.js'
import { PreparedMysql } from './prepared-mysql.js'
import { runFolder } from './programs.js'

/** One new, empty database. */
export interface TestDatabase {
  readonly config: Knex.Config
  /** `sqlite:` and an absolute path, `mysql://user@host:port/database`, or `postgres://…`. */
  readonly url: string
  /** Removes the database and everything in it. Close all connections first. */
  readonly drop: () => Promise<void>
}

/** A kind of database that the tests run against. */
export interface DatabaseColumn {
  readonly name: 'sqlite' | 'mysql' | 'postgres'
  /** Its name, and that of a driver other than the usual one; for titles. */
  readonly title: string
  /** @param options `mayHaveTables`: those of a chat, without rows, if that is quicker. */
  create(options?: { readonly mayHaveTables: boolean }): Promise<TestDatabase>
}

/** The driver of SQLite. A process has only one of them, as an application should. */
const sqliteDriver = process.env.CHAT_TEST_SQLITE_DRIVER

/** The servers beside SQLite, and the variables that name them. */
const servers = {
  mysql: { variable: 'CHAT_TEST_MYSQL_URL', column: mysqlColumn },
  postgres: { variable: 'CHAT_TEST_POSTGRES_URL', column: postgresColumn },
} as const

/** What this process covers: in a quick run, most processes leave the servers to others. */
const chosen = sqliteDriver ? ['sqlite'] : process.env.CHAT_TEST_DATABASES?.split(',')
const usual = ['sqlite', 'mysql']

/**
 * The kinds of database that this run covers: SQLite, and each server that a variable names. The
 * test runner starts these by itself. If `CHAT_TEST_SQLITE_DRIVER` names a driver, only SQLite with
 * that driver; `CHAT_TEST_DATABASES` is a list of `sqlite`, `mysql` and `postgres`.
 *
 * @throws {Error} without a server if `CI=true`: continuous integration covers everything.
 */
export function databaseColumns(): DatabaseColumn[] {
  return columnsOf(chosen ?? usual)
}

/**
 * The same for the cases of an operation or with a title: SQLite, and one of the servers, which the
 * name decides, because statements are the same on all servers but for what `storage/` knows.
 */
export function databaseColumnsOf(name: string): DatabaseColumn[] {
  const letters = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
  return columnsOf(chosen ?? ['sqlite', letters % 4 < 2 ? 'mysql' : 'postgres'])
}

/** SQLite and both servers, for what each of them has of its own. */
export function allDatabaseColumns(): DatabaseColumn[] {
  return columnsOf(chosen ?? ['sqlite', 'mysql', 'postgres'])
}

/** PostgreSQL, for what no other database has; none if `CHAT_TEST_DATABASES` leaves it out. */
export function postgresColumns(): DatabaseColumn[] {
  return columnsOf((chosen ?? ['postgres']).filter((name) => name === 'postgres'))
}

/** SQLite, for what no other database has; none if `CHAT_TEST_DATABASES` leaves it out. */
export function sqliteColumns(): DatabaseColumn[] {
  return columnsOf((chosen ?? ['sqlite']).filter((name) => name === 'sqlite'))
}

function columnsOf(wanted: readonly string[]): DatabaseColumn[] {
  const columns = wanted.includes('sqlite') ? [sqliteColumn] : []
  for (const name of serversAmong(wanted)) {
    const { variable, column } = servers[name]
    const url = serverUrl(variable)
    if (url !== undefined) columns.push(column(url))
    else if (process.env.CI === 'true') {
      throw new Error(`CI=true, but ${variable} names no server.`)
    }
  }
  return columns
}

function serversAmong(wanted: readonly string[]) {
  return (['mysql', 'postgres'] as const).filter((name) => wanted.includes(name))
}

/** An existing database, which is kept when its server stops. */
export function existingDatabase(
  { name, title }: Pick<DatabaseColumn, 'name' | 'title'>,
  config: Knex.Config,
): DatabaseColumn {
  return { name, title, create: async () => ({ config, url: '', drop: async () => {} }) }
}

/** Adds a skipped test with the reason if this run omits a kind of database. */
export function reportSkippedColumns(): void {
  for (const name of serversAmong(chosen ?? ['mysql', 'postgres'])) {
    const { variable } = servers[name]
    if (serverUrl(variable) !== undefined) continue
    const title = `${name.toUpperCase()} IS SKIPPED: no server is installed and ${variable} is not set`
    void test(title, { skip: true }, () => {})
  }
}

const sqliteColumn: DatabaseColumn = {
  name: 'sqlite',
  title: sqliteDriver ? `sqlite, ${sqliteDriver}` : 'sqlite',
  async create({ mayHaveTables } = { mayHaveTables: false }) {
    const folder = await mkdtemp(join(tmpdir(), 'parley-sqlite-'))
    const filename = join(folder, 'chat.sqlite')
    if (mayHaveTables) await copyFile(await (migrated ??= migratedFile()), filename)
    return {
      config: sqliteConfig(filename),
      url: `sqlite:${filename}`,
      // Removes the folder, because SQLite stores its write-ahead log next to the file.
      drop: () => rm(folder, { recursive: true, force: true }),
    }
  },
}

function sqliteConfig(filename: string): Knex.Config {
  return { client: sqliteClient(), connection: { filename }, useNullAsDefault: true }
}

let migrated: Promise<string> | undefined

/** A file with the tables of a chat, for all processes of this run: to create them takes long. */
async function migratedFile(): Promise<string> {
  const path = join(runFolder(), `migrated-${sqliteDriver ?? 'sqlite3'}.sqlite`)
  if (existsSync(path)) return path
  const own = `${path}-${process.pid}`
  const chat = createChatServer({ database: sqliteConfig(own) })
  await chat.migrate()
  await chat.close()
  await rename(own, path)
  return path
}

function sqliteClient(): Knex.Config['client'] & {} {
  // Knex has no name for it.
  return sqliteDriver === 'node:sqlite' ? NodeSqliteClient : sqliteDriver || 'sqlite3'
}

/** Of this process. */
let used: PreparedMysql | undefined
let postgres: PostgresDatabases | undefined

function postgresColumn(server: URL): DatabaseColumn {
  const { create } = (postgres ??= new PostgresDatabases(server))
  return { name: 'postgres', title: 'postgres', create }
}

function mysqlColumn(serverUrl: URL): DatabaseColumn {
  const connection = {
    host: serverUrl.hostname,
    port: Number(serverUrl.port || 3306),
    user: decodeURIComponent(serverUrl.username),
    password: decodeURIComponent(serverUrl.password),
    charset: 'utf8mb4',
  }
  const execute = async (statement: string) => {
    const server = await createConnection(connection)
    try {
      await server.query(statement)
    } finally {
      await server.end()
    }
  }
  const createDatabase = async (): Promise<string> => {
    const database = `parley_test_${randomBytes(8).toString('hex')}`
    await execute(`CREATE DATABASE ${database} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`)
    return database
  }
  const drop = (database: string) => execute(`DROP DATABASE IF EXISTS ${database}`)
  const testDatabase = (database: string, end: typeof drop): TestDatabase => {
    const url = new URL(serverUrl)
    url.pathname = `/${database}`
    const config = { client: 'mysql2', connection: { ...connection, database } }
    return { config, url: url.href, drop: () => end(database) }
  }
  const prepared = (used ??= new PreparedMysql(
    (database) => createConnection({ ...connection, database }),
    drop,
  ))
  return {
    name: 'mysql',
    title: 'mysql',
    async create({ mayHaveTables } = { mayHaveTables: false }) {
      if (!mayHaveTables) return testDatabase(await createDatabase(), drop)
      const database = prepared.take() ?? (await createDatabase())
      return testDatabase(database, (name) => prepared.giveBack(name))
    },
  }
}

function serverUrl(variable: string): URL | undefined {
  const text = process.env[variable]
  if (!text) return undefined
  if (!URL.canParse(text)) throw new TypeError(`${variable} is not a URL.`)
  return new URL(text)
}
