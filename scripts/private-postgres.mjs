import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { findProgram } from './find-program.mjs'
import { freePort } from './ports.mjs'
import { withMemoryLimit } from './private-mysql.mjs'
import { endGroup, ended, startGuard } from './process-guard.mjs'
import { quickFolder } from './quick-folder.mjs'
import { lastLines } from './last-lines.mjs'

const startTimeoutMilliseconds = 60_000
const shutDownMilliseconds = 20_000
const portAttempts = 3
const restartAttempts = 10
const restartPauseMilliseconds = 200
/** Where Debian has the programs of each version. */
const versionsFolder = '/usr/lib/postgresql'
/** The server refuses to run as root. Debian's package adds this user. */
const serverUser = 'postgres'

/** Finds the programs of PostgreSQL on this machine; undefined where there are none. */
export function findPostgresServer() {
  const server = findProgram(['postgres'], versionFolders())
  const installer = findProgram(['initdb'], versionFolders())
  if (!server || !installer) return undefined
  if (!isRoot()) return { server, installer, identity: {} }
  const [uid, gid] = ['-u', '-g'].map((option) => idOf(option))
  return uid === undefined || gid === undefined
    ? undefined
    : { server, installer, identity: { uid, gid } }
}

/**
 * Starts a PostgreSQL server that nobody else uses: on a free port of the loopback interface, with
 * its data in a new folder under the temporary folder. See `startPrivateMysql`, which does the same.
 *
 * @param options.durable flush every commit to the disk, as a production server does. The tests do
 *   without, which changes no answer of the server.
 * @param options.baseBackup the folder of a backup by `pg_basebackup`, with a copy of which the server
 *   starts; without it, the data are new.
 * @param options.options more options of the server's program.
 */
export async function startPrivatePostgres({ durable = false, options = [], baseBackup } = {}) {
  const programs = findPostgresServer()
  if (!programs) throw new Error('PostgreSQL is not installed on this machine.')

  const guard = startGuard()
  const folder = mkdtempSync(join(durable ? tmpdir() : quickFolder(), 'parley-postgres-'))
  guard.watchFolder(folder)
  const { uid, gid } = programs.identity
  if (uid !== undefined) spawnSync('chown', [`${uid}:${gid}`, folder])
  const log = join(folder, 'log')
  let serverProcess

  const run = (program, parameters) => {
    const logFile = openSync(log, 'a')
    const child = spawn(...withMemoryLimit(program, parameters), {
      cwd: folder,
      detached: true,
      stdio: ['ignore', logFile, logFile],
      ...programs.identity,
    })
    closeSync(logFile)
    child.on('error', () => {})
    if (child.pid !== undefined) guard.watchGroup(child.pid)
    return child
  }

  const end = async (signal) => {
    guard.forgetGroup(serverProcess.pid)
    serverProcess.ref()
    serverProcess.kill(signal)
    await Promise.race([
      ended(serverProcess),
      delay(shutDownMilliseconds, undefined, { ref: false }),
    ])
    await endGroup(serverProcess)
  }

  const stop = async () => {
    // At once, but not by force: it removes its shared memory.
    if (serverProcess) await end('SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    guard.release()
  }

  const kill = async () => {
    guard.forgetGroup(serverProcess.pid)
    const childIds = childrenOf(serverProcess.pid)
    await endGroup(serverProcess)
    // Each of them leads a group of its own. Those that have seen the end of the server are gone.
    for (const id of childIds) killIfThere(id)
  }

  const startAgain = async (port) => {
    for (let attempt = 1; ; attempt += 1) {
      guard.forgetGroup(serverProcess.pid)
      serverProcess = run(programs.server, [...serverArguments(folder, port, durable), ...options])
      if (await waitUntilReady(serverProcess, port)) break
      // It ends while processes of a server that was killed still have its memory.
      if (serverProcess.exitCode === null || attempt === restartAttempts) {
        throw new Error(`The private PostgreSQL server did not start again.\n${lastLines(log)}`)
      }
      await delay(restartPauseMilliseconds)
    }
    serverProcess.unref()
  }

  try {
    if (baseBackup === undefined) await initialize(programs, folder, run, guard)
    else copyData(baseBackup, folder, programs.identity)
    for (let attempt = 1; ; attempt += 1) {
      const port = await freePort()
      serverProcess = run(programs.server, [...serverArguments(folder, port, durable), ...options])
      if (await waitUntilReady(serverProcess, port)) {
        serverProcess.unref()
        return {
          url: `postgres://${serverUser}@127.0.0.1:${port}/`,
          port,
          // The file with what it logs.
          log,
          // Of the program that runs now: `startAgain()` starts another one.
          get processId() {
            return serverProcess.pid
          },
          untilEnd: () => ended(serverProcess),
          stop,
          // Without waiting for clients to leave.
          shutDown: () => end('SIGINT'),
          // As a crash does.
          kill,
          startAgain: () => startAgain(port),
        }
      }
      // Another process may have taken the port between our look and the server's start.
      guard.forgetGroup(serverProcess.pid)
      await endGroup(serverProcess)
      if (attempt === portAttempts) throw new Error('The private PostgreSQL server did not start.')
    }
  } catch (error) {
    const lines = lastLines(log)
    await stop()
    throw new Error(`${error.message}\n${lines}`, { cause: error })
  }
}

async function initialize({ installer }, folder, run, guard) {
  // Names are ordered as people expect it, as in many products, where the chat compares bytes.
  const locale =
    majorVersion(installer) >= 15
      ? ['--locale-provider=icu', '--icu-locale=en-US', '--locale=C']
      : ['--no-locale']
  const child = run(installer, [
    `--pgdata=${join(folder, 'data')}`,
    `--username=${serverUser}`,
    '--auth=trust',
    '--encoding=UTF8',
    '--no-sync',
    ...locale,
  ])
  await ended(child)
  guard.forgetGroup(child.pid)
  if (child.exitCode !== 0) {
    throw new Error('The data folder of a private PostgreSQL server was not made.')
  }
}

function copyData(baseBackup, folder, { uid, gid }) {
  const data = join(folder, 'data')
  cpSync(baseBackup, data, { recursive: true })
  chmodSync(data, 0o700)
  if (uid !== undefined) spawnSync('chown', ['-R', `${uid}:${gid}`, data])
}

function serverArguments(folder, port, durable) {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    max_connections: 300,
    shared_buffers: '64MB',
    // The data is gone with the machine anyway.
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  return [
    `-D${join(folder, 'data')}`,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

function majorVersion(program) {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return Number(/ (\d+)/.exec(stdout)?.[1])
}

/** Newest first. */
function versionFolders() {
  try {
    return readdirSync(versionsFolder)
      .toSorted((one, other) => Number(other) - Number(one))
      .map((version) => join(versionsFolder, version, 'bin'))
  } catch {
    return []
  }
}

/** The processes that serve the clients, and write the data. */
function childrenOf(processId) {
  const listed = readFileSync(`/proc/${processId}/task/${processId}/children`, 'utf8')
  return listed.split(' ').filter(Boolean).map(Number)
}

function killIfThere(processId) {
  try {
    process.kill(processId, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

function isRoot() {
  return process.getuid?.() === 0
}

function idOf(option) {
  const { status, stdout } = spawnSync('id', [option, serverUser], { encoding: 'utf8' })
  return status === 0 ? Number(stdout) : undefined
}

/** Whether the server takes clients before it ends or the time is over. */
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

/** Whether a PostgreSQL server lets a user in: it answers the first packet with `R`. */
function isGreeted(port) {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    const finish = (answer) => {
      socket.destroy()
      resolve(answer)
    }
    const parameters = `user\0${serverUser}\0database\0postgres\0\0`
    const packet = Buffer.alloc(8 + parameters.length)
    packet.writeInt32BE(packet.length, 0)
    packet.writeInt32BE(0x3_0000, 4)
    packet.write(parameters, 8)
    socket.setTimeout(2_000, () => finish(false))
    socket.once('connect', () => socket.write(packet))
    socket.once('data', (bytes) => finish(String.fromCharCode(bytes[0]) === 'R'))
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
    server = await startPrivatePostgres({ durable: process.argv.includes('--durable') })
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
