import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { findProgram } from '../../scripts/find-program.mjs'
import { freePort, isListening } from '../../scripts/ports.mjs'
import type { DatabaseColumn } from './databases.js'
import { until } from './waiting.js'

const program = findProgram(['pgbouncer'])
const reason = 'PGBOUNCER IS NOT INSTALLED: on Debian, apt-get install pgbouncer'
if (program === undefined && process.env.CI === 'true') throw new Error(reason)

/** Why tests with PgBouncer are skipped; false if they are not. */
export const whyWithoutPooler = program === undefined && reason

/**
 * Starts PgBouncer before a new database.
 *
 * @param poolSize the sessions of the server for each database.
 */
export async function startPooler(
  column: DatabaseColumn,
  mode: 'session' | 'transaction',
  poolSize = 50,
) {
  const { config, drop } = await column.create()
  const folder = await mkdtemp(join(tmpdir(), 'parley-pooler-'))
  const { host, port, user, password } = config.connection as Readonly<Record<string, unknown>>
  const own = await freePort()
  const lines = [
    '[databases]',
    `* = host=${host} port=${port} user=${user} ${password === '' ? '' : `password=${password}`}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =`,
    `auth_type = any\npool_mode = ${mode}\ndefault_pool_size = ${poolSize}`,
  ]
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, lines.join('\n'))
  // It refuses to run as root.
  const identity = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const child = spawn(program ?? '', ['-q', ...identity, file], { stdio: 'ignore' })
  const isOver = once(child, 'exit')
  await until('PgBouncer', () => isListening(own))
  return {
    /** Of the server itself. */
    direct: config,
    /** Of the pooler. */
    config: { ...config, connection: { ...(config.connection as object), port: own } },
    /** Ends it, and drops the database. */
    stop: async (): Promise<void> => {
      child.kill('SIGKILL')
      await isOver
      await rm(folder, { recursive: true })
      await drop()
    },
  }
}
