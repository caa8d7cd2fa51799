import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { dirname, extname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { createConnection } from 'mysql2/promise'

import { isListening } from '../../scripts/ports.mjs'
import { findMysqlServer, startPrivateMysql } from '../../scripts/private-mysql.mjs'
import { ended, endGroup, startGuard } from '../../scripts/process-guard.mjs'
import type { Program } from './part.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const startSeconds = 60
const stopMilliseconds = 15_000

/** Starts programs, and ends them also if this process is killed. */
export class Programs {
  readonly #guard = startGuard()

  constructor(private readonly folder: string) {
    this.#guard.watchFolder(folder)
  }

  /** A Redis that stores nothing on the disk. */
  async redis(port: number): Promise<Program> {
    const options = `--port ${port} --bind 127.0.0.1 --dir ${this.folder} --appendonly no`
    const child = await this.#spawn('redis-server', [...options.split(' '), '--save', ''])
    await untilTrue('Redis', child, () => isListening(port))
    return this.#program(child)
  }

  /**
   * A file of this example on Node.js.
   *
   * @param log gets what it prints, except for its address.
   * @returns the port on which it says that it listens.
   */
  async node(
    file: string,
    parameters: readonly string[],
    environment: Readonly<Record<string, string>>,
    log: (text: string) => void,
  ): Promise<{ program: Program; port: number }> {
    const child = await this.#spawn(
      process.execPath,
      [...process.execArgv, besideThisProgram(file), ...parameters],
      environment,
    )
    let printed = ''
    let port: number | undefined
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        if (port !== undefined) log(text)
        else printed += text
        const found = /listens on http:\/\/127\.0\.0\.1:(\d+)\n/.exec(printed)
        if (found !== null) port = Number(found[1])
      })
    }
    await untilTrue(file, child, () => port !== undefined).catch((error: unknown) => {
      throw new Error(`${(error as Error).message} ${printed}`.trim(), { cause: error })
    })
    return { program: this.#program(child), port: port ?? 0 }
  }

  release(): void {
    this.#guard.release()
  }

  async #spawn(
    command: string,
    parameters: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<ChildProcess> {
    const child = spawn(command, parameters, {
      cwd: root,
      // In a process group of its own, so that Ctrl-C ends only this process, which ends the others.
      detached: true,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const failed = once(child, 'error').then(([error]) => {
      throw new Error(`${command} cannot be started: install it`, { cause: error })
    })
    await Promise.race([once(child, 'spawn'), failed])
    if (child.pid !== undefined) this.#guard.watchGroup(child.pid)
    return child
  }

  #program(child: ChildProcess): Program {
    // A process that was spawned has one.
    const processId = child.pid as number
    return {
      processId,
      ended: ended(child).then(() => this.#guard.forgetGroup(processId)),
      stop: () => endGroup(child, stopMilliseconds),
    }
  }
}

/** A database that is there until `stop`, also if its process is killed and started again. */
export interface PrivateDatabase {
  /** As the option `--database` of the examples takes it. */
  readonly address: string
  /** Undefined if it is a file. */
  readonly start: (() => Promise<Program>) | undefined
  stop(): Promise<void>
}

/** MariaDB or MySQL, which flushes each commit to the disk, or a file where none is installed. */
export async function startDatabase(folder: string, isFile: boolean): Promise<PrivateDatabase> {
  if (isFile || findMysqlServer() === undefined) {
    return { address: join(folder, 'parley.sqlite'), start: undefined, stop: async () => {} }
  }
  const server = await startPrivateMysql({ durable: true })
  const connection = await createConnection(server.url)
  await connection.query('CREATE DATABASE parley CHARACTER SET utf8mb4 COLLATE utf8mb4_bin')
  await connection.end()
  let isFirst = true
  const start = async (): Promise<Program> => {
    if (!isFirst) await server.startAgain()
    isFirst = false
    // It is stopped with its data, when nothing else needs it.
    return { processId: server.processId, ended: server.untilEnd(), stop: async () => {} }
  }
  return { address: `${server.url}parley`, start, stop: () => server.stop() }
}

async function untilTrue(
  name: string,
  child: ChildProcess,
  isTrue: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + startSeconds * 1000
  while (!(await isTrue())) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${name} has ended.`)
    if (performance.now() > deadline) {
      await endGroup(child)
      throw new Error(`${name} did not start within ${startSeconds} seconds.`)
    }
    await sleep(20)
  }
}

/** In TypeScript or compiled, as the program that runs now. */
function besideThisProgram(file: string): string {
  const [, program = ''] = process.argv
  return join(dirname(program), file.replace(/\.ts$/, extname(program)))
}
