import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import knexPackage, { type Knex } from 'knex'

import type { CleanUp } from './clean-up.js'

interface Server {
  readonly port: number
  stop(): Promise<void>
}

interface ServerOptions {
  readonly durable: boolean
  readonly options?: readonly string[]
}

const privateMysql = (await import(
  new URL('../../scripts/private-mysql.mjs', import.meta.url).href
)) as {
  findMysqlServer(): object | undefined
  startPrivateMysql(options: ServerOptions): Promise<Server>
}
const privatePostgres = (await import(
  new URL('../../scripts/private-postgres.mjs', import.meta.url).href
)) as {
  findPostgresServer(): object | undefined
  startPrivatePostgres(options: ServerOptions): Promise<Server>
}

/** An empty database of its own. */
export interface BenchDatabase {
  readonly name: 'sqlite' | 'mysql' | 'postgres'
  readonly config: Knex.Config
}

/** A kind of database that the storage rows are measured on. */
export interface BenchDatabaseKind {
  readonly name: BenchDatabase['name']
  create(opened: CleanUp): Promise<BenchDatabase>
}

/** Those that run, by the names of their databases. */
const servers = new Map<BenchDatabase['name'], Promise<Server>>()
let lastDatabase = 0

/**
 * SQLite, and MySQL and PostgreSQL where a server is installed; it flushes every commit to the disk.
 * `BENCH_DATABASES`, names with commas between them, leaves others out.
 */
export function databaseKinds(): readonly BenchDatabaseKind[] {
  const wanted = process.env['BENCH_DATABASES']?.split(',')
  return [
    sqlite,
    ...(privateMysql.findMysqlServer() === undefined ? [] : [mysql]),
    ...(privatePostgres.findPostgresServer() === undefined ? [] : [postgres]),
  ].filter(({ name }) => wanted === undefined || wanted.includes(name))
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

const mysql = serverKind({
  name: 'mysql',
  start: () => privateMysql.startPrivateMysql({ durable: true }),
  configOf: (port, database = '') => ({
    client: 'mysql2',
    connection: { host: '127.0.0.1', port, user: 'root', charset: 'utf8mb4', database },
  }),
  collation: 'COLLATE utf8mb4_bin',
  dropOption: '',
})

const postgres = serverKind({
  name: 'postgres',
  start: () =>
    privatePostgres.startPrivatePostgres({
      durable: true,
      // Counts statements.
      options: ['-c', 'shared_preload_libraries=pg_stat_statements'],
    }),
  configOf: (port, database = 'postgres') => ({
    client: 'pg',
    connection: { host: '127.0.0.1', port, user: 'postgres', database },
  }),
  collation: '',
  // A row may open its server before the database, so the server ends after it.
  dropOption: 'WITH (FORCE)',
})

function serverKind({
  name,
  start,
  configOf,
  collation,
  dropOption,
}: {
  readonly name: BenchDatabase['name']
  readonly start: () => Promise<Server>
  readonly configOf: (port: number, database?: string) => Knex.Config
  readonly collation: string
  readonly dropOption: string
}): BenchDatabaseKind {
  return {
    name,
    async create(opened) {
      const running = servers.get(name) ?? start()
      servers.set(name, running)
      const { port } = await running
      const database = `bench_${(lastDatabase += 1)}`
      const execute = async (statement: string): Promise<void> => {
        const knex = knexPackage(configOf(port))
        try {
          await knex.raw(statement)
        } finally {
          await knex.destroy()
        }
      }
      await execute(`CREATE DATABASE ${database} ${collation}`)
      opened.add(() => execute(`DROP DATABASE ${database} ${dropOption}`))
      return { name, config: configOf(port, database) }
    },
  }
}

/** Ends the private servers that were started. */
export async function stopDatabases(): Promise<void> {
  for (const server of servers.values()) await (await server).stop()
  servers.clear()
}
