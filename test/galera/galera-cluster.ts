import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Knex } from 'knex'

import { findMysqlServer } from '../../scripts/private-mysql.mjs'
import { startGuard } from '../../scripts/process-guard.mjs'
import { until } from '../support/waiting.js'
import { GaleraNode } from './galera-node.js'

const libraries = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so']
const nodeCount = 3

function findLibrary(): string | undefined {
  return findMysqlServer() === undefined ? undefined : libraries.find((path) => existsSync(path))
}

/**
 * Why tests of a cluster are skipped; false if they are not.
 *
 * @throws {Error} if `CI=true`, which skips nothing.
 */
export function whyWithoutGalera(): string | false {
  if (process.env.CHAT_TEST_DATABASES === 'sqlite') return 'this run is about SQLite alone'
  if (findLibrary() !== undefined) return false
  const reason = 'GALERA IS NOT INSTALLED: on Debian, apt-get install mariadb-server galera-4'
  if (process.env.CI === 'true') throw new Error(reason)
  return reason
}

/** Three MariaDB servers on loopback that replicate each other, in a folder of their own. */
export class GaleraCluster {
  private constructor(
    readonly nodes: readonly GaleraNode[],
    private readonly guard: ReturnType<typeof startGuard>,
    private readonly folder: string,
  ) {}

  static async start(): Promise<GaleraCluster> {
    const library = findLibrary()
    if (library === undefined) throw new Error('Galera is not installed')
    const guard = startGuard()
    const folder = await mkdtemp(join(tmpdir(), 'parley-galera-'))
    guard.watchFolder(folder)
    const ports = await freePorts(nodeCount * 3)
    const nodes = Array.from({ length: nodeCount }, (_, index) => {
      const [sql = 0, group = 0, transfer = 0] = ports.slice(index * 3)
      const place = join(folder, `node${index + 1}`)
      return new GaleraNode(`node${index + 1}`, { sql, group, transfer }, place, library, guard)
    })
    const cluster = new GaleraCluster(nodes, guard, folder)
    try {
      await cluster.#begin()
      return cluster
    } catch (error) {
      await cluster.stop()
      throw error
    }
  }

  /** Creates an empty database, at all nodes. @returns its name. */
  async createDatabase(): Promise<string> {
    const name = `parley_test_${randomBytes(8).toString('hex')}`
    const [first, ...others] = this.nodes
    await first?.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`)
    // A node applies what another one has committed a little later.
    for (const node of others) {
      await until('the database at each node', async () => {
        const found = await node.query(`SHOW DATABASES LIKE '${name}'`)
        return found.length > 0
      })
    }
    return name
  }

  /** The connections of a database option, for all nodes or some of them. */
  connections(database: string, nodes = this.nodes): Knex.MySql2ConnectionConfig[] {
    return nodes.map((node) => node.connection(database) as Knex.MySql2ConnectionConfig)
  }

  /** Starts a node again that was killed, and waits until it has what it missed. */
  async restart(node: GaleraNode): Promise<void> {
    await node.start(this.#address)
    await node.untilReady(this.nodes.length)
  }

  /** Waits until all nodes take part again. */
  async untilWhole(): Promise<void> {
    for (const node of this.nodes) await node.untilReady(this.nodes.length)
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()))
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 })
    this.guard.release()
  }

  get #address(): string {
    return `gcomm://${this.nodes.map(({ ports }) => `127.0.0.1:${ports.group}`).join(',')}`
  }

  async #begin(): Promise<void> {
    const template = join(this.folder, 'template')
    await initialize(template)
    // All begin with the same data and say so, which spares them a transfer of everything.
    const id = randomUUID()
    const state = [
      '# GALERA saved state',
      'version: 2.1',
      `uuid: ${id}`,
      'seqno: 0',
      'safe_to_bootstrap: 1',
      '',
    ]
    for (const { name } of this.nodes) {
      const place = join(this.folder, name)
      await mkdir(place)
      await cp(template, join(place, 'data'), { recursive: true })
      await writeFile(join(place, 'data', 'grastate.dat'), state.join('\n'))
    }
    // One after the other: a node that finds no other to copy from waits five seconds.
    for (const [index, node] of this.nodes.entries()) {
      await node.start(index === 0 ? 'gcomm://' : this.#address, `${id}:0`)
      await node.untilReady(index + 1)
    }
  }
}

async function initialize(folder: string): Promise<void> {
  const child = spawn(
    'mariadb-install-db',
    [
      '--no-defaults',
      ...(process.getuid?.() === 0 ? ['--user=root'] : []),
      `--datadir=${folder}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      '--skip-name-resolve',
    ],
    { stdio: 'ignore', timeout: 120_000 },
  )
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The data folder of a Galera cluster was not made')
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}
