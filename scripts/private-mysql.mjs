import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, closeSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { findProgram } from './find-program.mjs'
import { lastLines } from './last-lines.mjs'
import { freePort } from './ports.mjs'
import { endGroup, ended, startGuard } from './process-guard.mjs'
import { quickFolder } from './quick-folder.mjs'

const startTimeoutMilliseconds = 60_000
const shutDownMilliseconds = 20_000
const portAttempts = 3
/** Several times what a server uses here. One that took all memory would stop the whole machine. */
const mostMemoryKibibytes = 3 * 1024 * 1024

/** Finds the server program of MariaDB or MySQL on this machine; undefined where there is none. */
export function findMysqlServer() {
  const server = findProgram(['mariadbd', 'mysqld'])
  if (!server) return undefined
  const version =
    spawnSync(server, ['--no-defaults', '--version'], { encoding: 'utf8' }).stdout ?? ''
  if (!version.includes('MariaDB')) return { server, isMariaDb: false }
  const installer = findProgram(['mariadb-install-db', 'mysql_install_db'])
  return installer ? { server, isMariaDb: true, installer } : undefined
}

/** The arguments of `spawn` for a server of MariaDB or MySQL that ends rather than take more memory. */
export function withMemoryLimit(program, parameters) {
  const script = 'ulimit -d "$0"; exec "$@"'
  return ['/bin/sh', ['-c', script, String(mostMemoryKibibytes), program, ...parameters]]
}

/**
 * Starts a MySQL-protocol server that nobody else uses: on a free port of the loopback interface,
 * with its data in a new folder, in memory if there is enough and it need not be durable.
 *
 * The server and its folder disappear with `stop()`, and also when this process dies without
 * calling it.
 *
 * @param options.durable flush every commit to the disk, as a production server does; for
 *   measurements. The tests do without, which changes no answer of the server.
 * @param options.options more options of the server's program.
 * @returns `url` ends in a slash and names no database: append one. `shutDown()` and then
 *   `startAgain()` are what an operator does for an upgrade: the data and the port stay, as they do if
 *   the process was killed. `untilEnd()` resolves when it has ended, however that came.
 */
export async function startPrivateMysql({ durable = false, options = [] } = {}) {
  const programs = findMysqlServer()
  if (!programs) throw new Error('Neither mariadbd nor mysqld is installed on this machine.')

  const guard = startGuard()
  const folder = mkdtempSync(join(durable ? tmpdir() : quickFolder(), 'parley-mysql-'))
  guard.watchFolder(folder)
  const log = join(folder, 'log')
  let serverProcess

  const run = (program, parameters) => {
    const logFile = openSync(log, 'a')
    const child = spawn(...withMemoryLimit(program, parameters), {
      cwd: folder,
      detached: true,
      stdio: ['ignore', logFile, logFile],
    })
    closeSync(logFile)
    child.on('error', () => {})
    if (child.pid !== undefined) guard.watchGroup(child.pid)
    return child
  }

  const stop = async () => {
    // The data is thrown away with the server, so there is nothing to shut down carefully.
    if (serverProcess) await endGroup(serverProcess)
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    guard.release()
  }

  const shutDown = async () => {
    guard.forgetGroup(serverProcess.pid)
    await endGroup(serverProcess, shutDownMilliseconds)
  }

  const kill = () => {
    guard.forgetGroup(serverProcess.pid)
    return endGroup(serverProcess)
  }

  const startAgain = async (port) => {
    guard.forgetGroup(serverProcess.pid)
    serverProcess = run(programs.server, [...serverArguments(folder, port, durable), ...options])
    if (!(await waitUntilReady(serverProcess, port))) {
      throw new Error(`The private MySQL server did not start again.\n${lastLines(log)}`)
    }
    serverProcess.unref()
  }

  try {
    await initialize(programs, folder, run, guard)
    for (let attempt = 1; ; attempt += 1) {
      const port = await freePort()
      serverProcess = run(programs.server, [...serverArguments(folder, port, durable), ...options])
      const isReady = await waitUntilReady(serverProcess, port)
      if (isReady) {
        serverProcess.unref()
        return {
          url: `mysql://root@127.0.0.1:${port}/`,
          port,
          // Of the program that runs now: `startAgain()` starts another one.
          get processId() {
            return serverProcess.pid
          },
          untilEnd: () => ended(serverProcess),
          stop,
          shutDown,
          kill,
          startAgain: () => startAgain(port),
        }
      }
      // Another process may have taken the port between our look and the server's start.
      guard.forgetGroup(serverProcess.pid)
      await endGroup(serverProcess)
      if (attempt === portAttempts) throw new Error('The private MySQL server did not start.')
    }
  } catch (error) {
    const lines = lastLines(log)
    await stop()
    throw new Error(`${error.message}\n${lines}`, { cause: error })
  }
}

async function initialize({ server, isMariaDb, installer }, folder, run, guard) {
  const data = `--datadir=${join(folder, 'data')}`
  const child = isMariaDb
    ? run(installer, [
        '--no-defaults',
        ...asRoot(),
        data,
        '--auth-root-authentication-method=normal',
        '--skip-test-db',
        '--skip-name-resolve',
      ])
    : run(server, ['--no-defaults', ...asRoot(), data, '--initialize-insecure'])
  await ended(child)
  guard.forgetGroup(child.pid)
  if (child.exitCode !== 0)
    throw new Error('The data folder of a private MySQL server was not made.')
}

function serverArguments(folder, port, durable) {
  return [
    '--no-defaults',
    ...asRoot(),
    `--datadir=${join(folder, 'data')}`,
    // A server that starts deletes the temporary tables that it finds there, also those of others.
    `--tmpdir=${folder}`,
    `--socket=${join(folder, 'socket')}`,
    `--pid-file=${join(folder, 'pid')}`,
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    '--character-set-server=utf8mb4',
    '--max-connections=300',
    '--innodb-buffer-pool-size=64M',
    `--innodb-flush-log-at-trx-commit=${durable ? 1 : 2}`,
    // The data is gone with the machine anyway; each new database is a hundred files to flush.
    ...(durable ? [] : ['--innodb-flush-method=nosync', '--loose-sync-frm=OFF']),
    '--loose-mysqlx=OFF',
  ]
}

/** The server refuses to run as root unless it is told to. */
function asRoot() {
  return process.getuid?.() === 0 ? ['--user=root'] : []
}

/** Whether the server greets a client before it ends or the time is over. */
async function waitUntilReady(serverProcess, port) {
  const deadline = Date.now() + startTimeoutMilliseconds
  while (Date.now() < deadline) {
    if (serverProcess.pid === undefined || serverProcess.exitCode !== null) return false
    if (await isGreeted(port)) {
      // Somebody else's server may have the port; then ours is about to end.
      await delay(50)
      return serverProcess.exitCode === null
    }
    await delay(50)
  }
  return false
}

/** Whether a MySQL server answers: it speaks first, and byte 4 is the protocol version, 10. */
function isGreeted(port) {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    const finish = (answer) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(2_000, () => finish(false))
    socket.once('data', (bytes) => finish(bytes[4] === 10))
    socket.once('error', () => finish(false))
    socket.once('close', () => resolve(false))
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let server
  const stopped = new Promise((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  try {
    server = await startPrivateMysql({ durable: process.argv.includes('--durable') })
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
  console.log(server.url)
  const keepAlive = setInterval(() => {}, 60_000)
  await stopped
  clearInterval(keepAlive)
  await server.stop()
}
