import { createCluster } from '@redis/client'

import { until } from '../support/waiting.js'
import { freePort } from '../../scripts/ports.mjs'
import { RedisServer } from './redis-server.js'

const slots = 16_384

/** A Redis Cluster of three masters on loopback, without replicas. */
export class RedisCluster implements AsyncDisposable {
  private constructor(readonly nodes: readonly RedisServer[]) {}

  static async started(): Promise<RedisCluster> {
    const nodes: RedisServer[] = []
    for (let index = 0; index < 3; index += 1) {
      const options = [
        '--cluster-enabled',
        'yes',
        // Without it, the port would be the other one plus 10,000, which may be too high.
        '--cluster-port',
        String(await freePort()),
        '--cluster-node-timeout',
        '1000',
        '--cluster-require-full-coverage',
        'no',
      ]
      nodes.push(await RedisServer.started(options))
    }
    const cluster = new RedisCluster(nodes)
    await cluster.#join()
    return cluster
  }

  /** A client that is not connected. */
  client(): ReturnType<typeof createCluster> {
    return createCluster({
      rootNodes: this.nodes.map(({ port }) => ({ socket: { host: '127.0.0.1', port } })),
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const node of this.nodes) await node[Symbol.asyncDispose]()
  }

  /** Each node gets a third of the slots, and all of them know each other. */
  async #join(): Promise<void> {
    const admins = await Promise.all(this.nodes.map((node) => node.connected()))
    const share = Math.ceil(slots / admins.length)
    for (const [index, admin] of admins.entries()) {
      const from = index * share
      const to = Math.min(slots, from + share) - 1
      await admin.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', String(from), String(to)])
      const first = this.nodes[0] as RedisServer
      const busPort = first.options[first.options.indexOf('--cluster-port') + 1] ?? ''
      await admin.sendCommand(['CLUSTER', 'MEET', '127.0.0.1', String(first.port), busPort])
    }
    await until('the cluster', async () => {
      const infos = await Promise.all(
        admins.map((admin) => admin.sendCommand<string>(['CLUSTER', 'INFO'])),
      )
      return infos.every(
        (info) =>
          info.includes('cluster_state:ok') && info.includes(`cluster_slots_assigned:${slots}`),
      )
    })
    for (const admin of admins) admin.destroy()
  }
}
