import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

import createKnex, { type Knex } from 'knex'

import type { DatabaseColumn, TestDatabase } from './databases.js'

/** A backup as an administrator makes it, of a database that is in use. */
export interface Backup {
  /** Restores it into a new database. */
  restore(): Promise<TestDatabase>
  remove(): Promise<void>
}

const run = promisify(execFile)

/** As docs/operating.md says. */
export async function backUp(column: DatabaseColumn, config: Knex.Config): Promise<Backup> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-backup-'))
  const file = join(folder, 'backup')
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  if (column.name === 'mysql') {
    await dump(config, file)
    return { remove, restore: () => load(column, file) }
  }
  const connection = createKnex(config)
  await connection.raw(`VACUUM INTO '${file}'`)
  await connection.destroy()
  return {
    remove,
    async restore() {
      const restored = await column.create()
      await copyFile(file, restored.url.slice('sqlite:'.length))
      return restored
    },
  }
}

interface Server {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
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

async function dump({ connection }: Knex.Config, file: string): Promise<void> {
  const server = connection as unknown as Server
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
  const server = restored.config.connection as unknown as Server
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
