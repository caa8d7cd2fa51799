import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

import createKnex, { type Knex } from 'knex'

import { startPrivatePostgres } from '../../scripts/private-postgres.mjs'
import type { DatabaseColumn, TestDatabase } from './databases.js'

/** A backup as an administrator makes it, of a database that is in use. */
export interface Backup {
  /** Restores it into a new database. */
  restore(): Promise<Pick<TestDatabase, 'config'>>
  /** Removes it, and what was restored from it. */
  remove(): Promise<void>
}

interface BackupKind {
  readonly title: string
  readonly backUp: (config: Knex.Config) => Promise<Backup>
}

/** How one kind of backup is written to a path, and restored from it. */
interface Procedure {
  readonly save: (config: Knex.Config, path: string) => Promise<unknown>
  readonly restore: (
    path: string,
    config: Knex.Config,
  ) => Promise<Pick<TestDatabase, 'config' | 'drop'>>
}

const run = promisify(execFile)

/** The backups that docs/operating.md names for a kind of database. */
export function backupsOf(column: DatabaseColumn): readonly BackupKind[] {
  const procedures: Readonly<Record<DatabaseColumn['name'], Readonly<Record<string, Procedure>>>> =
    {
      sqlite: { 'VACUUM INTO': { save: vacuum, restore: (path) => copied(column, path) } },
      mysql: { 'a dump': { save: dump, restore: (path) => load(column, path) } },
      postgres: {
        pg_dump: { save: pgDump, restore: (path) => pgRestore(column, path) },
        pg_basebackup: { save: pgBaseBackup, restore: startedFrom },
      },
    }
  return Object.entries(procedures[column.name]).map(([name, procedure]) => ({
    title: `${column.title}, ${name}`,
    backUp: (config) => backUp(procedure, config),
  }))
}

async function backUp({ save, restore }: Procedure, config: Knex.Config): Promise<Backup> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-backup-'))
  const path = join(folder, 'backup')
  const restored: Pick<TestDatabase, 'drop'>[] = []
  await save(config, path)
  return {
    async restore() {
      const database = await restore(path, config)
      restored.push(database)
      return database
    },
    async remove() {
      for (const { drop } of restored) await drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function vacuum(config: Knex.Config, path: string): Promise<void> {
  const connection = createKnex(config)
  await connection.raw(`VACUUM INTO '${path}'`)
  await connection.destroy()
}

async function copied(column: DatabaseColumn, path: string): Promise<TestDatabase> {
  const restored = await column.create()
  await copyFile(path, restored.url.slice('sqlite:'.length))
  return restored
}

async function pgDump(config: Knex.Config, path: string): Promise<void> {
  await run('pg_dump', [`--dbname=${urlOf(config)}`, '--format=custom', `--file=${path}`])
}

async function pgRestore(column: DatabaseColumn, path: string): Promise<TestDatabase> {
  const restored = await column.create()
  await run('pg_restore', [`--dbname=${urlOf(restored.config)}`, '--exit-on-error', path])
  return restored
}

async function pgBaseBackup(config: Knex.Config, path: string): Promise<void> {
  await run('pg_basebackup', [`--dbname=${urlOf(config)}`, '--checkpoint=fast', `--pgdata=${path}`])
}

/** Starts another server, because a base backup has all databases of one. */
async function startedFrom(
  path: string,
  config: Knex.Config,
): Promise<Pick<TestDatabase, 'config' | 'drop'>> {
  const server = await startPrivatePostgres({ baseBackup: path })
  const connection = { ...serverOf(config), port: server.port }
  return { config: { ...config, connection }, drop: () => server.stop() }
}

function urlOf(config: Knex.Config): string {
  const { host, port, user, password, database } = serverOf(config)
  const login = [user, password].map(encodeURIComponent).join(':')
  return `postgres://${login}@${host}:${port}/${database}`
}

interface Server {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

function serverOf({ connection }: Knex.Config): Server {
  return connection as unknown as Server
}

/** The programs are named differently by MariaDB and MySQL, and have the same options. */
async function program(names: readonly string[]): Promise<string> {
  for (const name of names) {
    try {
      await run(name, ['--version'])
      return name
    } catch {
      // The next one.
    }
  }
  throw new Error(`None of ${names.join(', ')} is installed`)
}

function parametersOf({ host, port, user, password }: Server): readonly string[] {
  return [
    '--no-defaults',
    '--protocol=tcp',
    `--host=${host}`,
    `--port=${port}`,
    `--user=${user}`,
    ...(password === '' ? [] : [`--password=${password}`]),
  ]
}

async function dump(config: Knex.Config, file: string): Promise<void> {
  const server = serverOf(config)
  const name = await program(['mariadb-dump', 'mysqldump'])
  const child = execFile(name, [
    ...parametersOf(server),
    '--single-transaction',
    '--skip-lock-tables',
    server.database,
  ])
  await Promise.all([
    pipeline(child.stdout ?? failed(name), createWriteStream(file)),
    exited(name, child),
  ])
}

async function load(column: DatabaseColumn, file: string): Promise<TestDatabase> {
  const restored = await column.create()
  const server = serverOf(restored.config)
  const name = await program(['mariadb', 'mysql'])
  const child = execFile(name, [...parametersOf(server), server.database])
  await Promise.all([
    pipeline(createReadStream(file), child.stdin ?? failed(name)),
    exited(name, child),
  ])
  return restored
}

function exited(name: string, child: ReturnType<typeof execFile>): Promise<void> {
  let problem = ''
  child.stderr?.on('data', (text) => (problem += String(text)))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${name} ended with ${code}: ${problem}`))
    })
  })
}

function failed(name: string): never {
  throw new Error(`${name} could not be started`)
}
