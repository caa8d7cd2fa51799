import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Knex } from 'knex'
import { createConnection } from 'mysql2/promise'

import type { CleanUp } from './clean-up.js'

interface MysqlServer {
  readonly port: number
  stop(): Promise<void>
}

const privateMysql = (await import(
  new URL('../../scripts/private-mysql.mjs', import.meta.url).href
)) as {
  findMysqlServer(): object | undefined
  startPrivateMysql(options: { durable: boolean }): Promise<MysqlServer>
}

/** An empty database of its own. */
export interface BenchDatabase {
  readonly name: 'sqlite' | 'mysql'
  readonly config: Knex.Config
}

/** A kind of database that the storage rows are measured on. */
export interface BenchDatabaseKind {
  readonly name: 'sqlite' | 'mysql'
  create(opened: CleanUp): Promise<BenchDatabase>
}

let mysqlServer: Promise<MysqlServer> | undefined
let lastDatabase = 0

/** SQLite, and MySQL where a server is installed; it flushes every commit to the disk. */
export function databaseKinds(): readonly BenchDatabaseKind[] {
  return privateMysql.findMysqlServer() === undefined ? [sqlite] : [sqlite, mysql]
}

/** The results of a measurement on each kind of database. */
export async function onEveryDatabase<Item>(
  measure: (kind: BenchDatabaseKind) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  const results: Item[] = []
  for (const kind of databaseKinds()) results.push(...(await measure(kind)))
  return results
}

export const sqlite: BenchDatabaseKind = {
  name: 'sqlite',
  async create(opened) {
    const folder = await temporaryFolder(opened)
    return {
      name: 'sqlite',
      config: {
        client: 'sqlite3',
        connection: { filename: join(folder, 'chat.sqlite') },
        useNullAsDefault: true,
      },
    }
  },
}

/** A folder that is removed at the end. */
export async function temporaryFolder(opened: CleanUp): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  opened.add(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const mysql: BenchDatabaseKind = {
  name: 'mysql',
  async create(opened) {
    mysqlServer ??= privateMysql.startPrivateMysql({ durable: true })
    const { port } = await mysqlServer
    const connection = { host: '127.0.0.1', port, user: 'root', charset: 'utf8mb4' }
    const database = `bench_${(lastDatabase += 1)}`
    await execute(connection, `CREATE DATABASE ${database} COLLATE utf8mb4_bin`)
    opened.add(() => execute(connection, `DROP DATABASE ${database}`))
    return {
      name: 'mysql',
      config: { client: 'mysql2', connection: { ...connection, database } },
    }
  },
}

/** Ends the private MySQL server, if one was started. */
export async function stopDatabases(): Promise<void> {
  const server = await mysqlServer
  mysqlServer = undefined
  await server?.stop()
}

async function execute(
  connection: { host: string; port: number; user: string },
  statement: string,
): Promise<void> {
  const server = await createConnection(connection)
  try {
    await server.query(statement)
  } finally {
    await server.end()
  }
}
