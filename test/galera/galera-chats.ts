import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'

import { createChatServer } from '@parley/core'

import { startChatProcess } from '../faults/chat-process.js'
import { Client } from '../support/client.js'
import type { GaleraCluster } from './galera-cluster.js'
import type { GaleraNode } from './galera-node.js'

/** A chat server in a process of its own. */
export interface GaleraChat {
  readonly child: ChildProcess
  readonly origin: string
  /** What it has logged. */
  readonly output: () => string
}

/** Processes with chat servers on a database of a cluster, with one organization. */
export class GaleraChats {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 100 })
  readonly #processes: ChildProcess[] = []

  private constructor(
    private readonly cluster: GaleraCluster,
    readonly database: string,
    private readonly names: readonly string[],
  ) {}

  /** @param names of the users, who all subscribe to channel 1. */
  static async create(cluster: GaleraCluster, names: readonly string[]): Promise<GaleraChats> {
    const database = await cluster.createDatabase()
    const chats = new GaleraChats(cluster, database, names)
    const users = names.map((name, index) => ({
      id: index + 1,
      email: emailOf(name),
      full_name: `User ${name}`,
      api_key: apiKeyOf(name),
    }))
    const channel = { id: 1, name: 'all', subscribers: users.map(({ id }) => id) }
    const chat = createChatServer({ database: chats.option(cluster.nodes) })
    await chat.start()
    await chat.organizations.load({
      organization: { name: 'Galera', subdomain: 'galera' },
      users,
      channels: [channel],
    })
    await chat.close()
    return chats
  }

  /** The option `database` for some nodes. */
  option(nodes: readonly GaleraNode[]): { client: 'mysql2'; nodes: object[] } {
    return { client: 'mysql2', nodes: nodes.map((node) => node.connection(this.database)) }
  }

  /** Starts a process that uses these nodes. */
  async start(nodes: readonly GaleraNode[]): Promise<GaleraChat> {
    const chat = await startChatProcess({ database: this.option(nodes) })
    this.#processes.push(chat.child)
    return chat
  }

  client({ origin }: GaleraChat, name: string): Client {
    return new Client(
      { origin, agent: this.#agent, subdomain: 'galera' },
      { email: emailOf(name), apiKey: apiKeyOf(name) },
      this.names.indexOf(name) + 1,
      name,
    )
  }

  /** The node that has replicated most changes to the others while `work` ran. */
  async writingNode(work: () => Promise<unknown>): Promise<GaleraNode> {
    const { nodes } = this.cluster
    const before = await Promise.all(nodes.map((node) => node.countReplicated()))
    await work()
    const after = await Promise.all(nodes.map((node) => node.countReplicated()))
    const counts = after.map((count, index) => count - (before[index] ?? 0))
    return nodes[counts.indexOf(Math.max(...counts))] as GaleraNode
  }

  async stop(): Promise<void> {
    this.#agent.destroy()
    for (const child of this.#processes) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const isGone = once(child, 'exit')
      child.kill('SIGKILL')
      await isGone
    }
  }
}

function emailOf(name: string): string {
  return `${name}@galera.example`
}

function apiKeyOf(name: string): string {
  return `key${name}`.padEnd(32, 'k')
}
