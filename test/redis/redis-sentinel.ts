import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { createSentinel } from '@redis/client'

import { until } from '../support/waiting.js'
import { RedisServer } from './redis-server.js'

const name = 'chat'

/** A master, a replica, and a sentinel that makes the replica the master if that is away. */
export class RedisWithSentinel implements AsyncDisposable {
  private constructor(
    readonly master: RedisServer,
    readonly replica: RedisServer,
    private readonly sentinel: RedisServer,
  ) {}

  static async started(): Promise<RedisWithSentinel> {
    const master = await RedisServer.started()
    const replica = await RedisServer.started(['--replicaof', `127.0.0.1 ${master.port}`])
    // A sentinel writes what it finds out into its configuration file.
    const file = join(replica.folder, 'sentinel.conf')
    await writeFile(
      file,
      [
        `sentinel monitor ${name} 127.0.0.1 ${master.port} 1`,
        `sentinel down-after-milliseconds ${name} 1000`,
        `sentinel failover-timeout ${name} 5000`,
      ].join('\n'),
    )
    const sentinel = await RedisServer.started([file, '--sentinel'])
    const admin = await replica.connected()
    await until('the replica', async () => (await admin.info()).includes('master_link_status:up'))
    admin.destroy()
    const watcher = await sentinel.connected()
    await until('the sentinel to know the replica', async () =>
      (await watcher.sendCommand<string>(['INFO', 'sentinel'])).includes('slaves=1'),
    )
    watcher.destroy()
    return new RedisWithSentinel(master, replica, sentinel)
  }

  /** A client that is not connected. */
  client(): ReturnType<typeof createSentinel> {
    return createSentinel({
      name,
      sentinelRootNodes: [{ host: '127.0.0.1', port: this.sentinel.port }],
    })
  }

  /** Kills the master, and waits for the failover. */
  async failOver(): Promise<void> {
    await this.master.kill()
    const admin = await this.replica.connected()
    await until('the failover', async () => {
      // The sentinel ends the connections to a replica that it makes the master.
      const info = await admin.info().catch(() => '')
      return info.includes('role:master')
    })
    admin.destroy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of [this.sentinel, this.replica, this.master]) {
      await server[Symbol.asyncDispose]()
    }
  }
}
