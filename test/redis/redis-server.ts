import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createClient } from '@redis/client'

import { freePort, isListening } from '../../scripts/ports.mjs'
import { until } from '../support/waiting.js'

/** A private Redis server on loopback, which tests stop, continue and kill. */
export class RedisServer implements AsyncDisposable {
  #child: ChildProcess | undefined

  private constructor(
    readonly port: number,
    readonly folder: string,
    readonly options: readonly string[],
  ) {}

  /**
   * Reserves a port; nothing listens on it before {@link start}.
   *
   * @param options of the command line, besides the usual ones.
   */
  static async create(options: readonly string[] = []): Promise<RedisServer> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-redis-'))
    return new RedisServer(await freePort(), folder, options)
  }

  static async started(options: readonly string[] = []): Promise<RedisServer> {
    const server = await RedisServer.create(options)
    await server.start()
    return server
  }

  /** A client that is not connected. */
  client(port = this.port): ReturnType<typeof createClient> {
    return createClient({ socket: { host: '127.0.0.1', port } })
  }

  /** A client of the test's own. */
  async connected(): Promise<ReturnType<typeof createClient>> {
    const client = this.client()
    // Without a listener, the end of the server would end the process.
    client.on('error', () => {})
    await client.connect()
    return client
  }

  /** The number of connections that are open, including that of `client`. */
  async countConnections(client: ReturnType<typeof createClient>): Promise<number> {
    const list = await client.sendCommand<string>(['CLIENT', 'LIST'])
    return list.trim().split('\n').length
  }

  async start(): Promise<void> {
    const options = `--port ${this.port} --bind 127.0.0.1 --appendonly no --dir ${this.folder}`
    const child = spawn(
      'redis-server',
      // A configuration file comes first, and sentinels need one.
      [...this.options, ...options.split(' '), '--save', ''],
      { stdio: 'ignore' },
    )
    const failed = once(child, 'error').then(([error]) => {
      throw new Error('Install redis-server for these tests', { cause: error })
    })
    await Promise.race([once(child, 'spawn'), failed])
    this.#child = child
    await until('Redis to listen', () => isListening(this.port))
  }

  /** Stops the process as if its machine did not get on. */
  pause(): void {
    this.#child?.kill('SIGSTOP')
  }

  continue(): void {
    this.#child?.kill('SIGCONT')
  }

  async kill(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const isGone = once(child, 'exit')
    child.kill('SIGKILL')
    await isGone
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    await rm(this.folder, { recursive: true, force: true })
  }
}
