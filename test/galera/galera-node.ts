import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise'

import { withMemoryLimit } from '../../scripts/private-mysql.mjs'
import { endGroup, type startGuard } from '../../scripts/process-guard.mjs'
import { until } from '../support/waiting.js'

const startSeconds = 180
const user = process.getuid?.() === 0 ? ['--user=root'] : []

/** The ports of a node on loopback. */
export interface GaleraPorts {
  readonly sql: number
  readonly group: number
  readonly transfer: number
}

/** One server of a private Galera cluster, which tests pause, kill and isolate. */
export class GaleraNode {
  #child: ChildProcess | undefined

  constructor(
    readonly name: string,
    readonly ports: GaleraPorts,
    private readonly folder: string,
    private readonly library: string,
    private readonly guard: ReturnType<typeof startGuard>,
  ) {}

  /** The connection of a Knex configuration. */
  connection(database?: string) {
    const { sql: port } = this.ports
    const server = { host: '127.0.0.1', port, user: 'root', charset: 'utf8mb4' }
    return database === undefined ? server : { ...server, database }
  }

  /**
   * Starts the process; {@link untilReady} waits for it.
   *
   * @param address of the cluster; without members it is a new one.
   * @param position the state in the data folder; otherwise the server determines it.
   */
  async start(address: string, position?: string): Promise<void> {
    const isNew = address === 'gcomm://'
    this.#child = this.#run([
      `--wsrep-cluster-address=${address}`,
      `--wsrep-start-position=${position ?? (await this.#recoverPosition())}`,
      ...(isNew ? ['--wsrep-new-cluster'] : []),
    ])
  }

  /** Waits until the node takes part in a cluster of this size. */
  async untilReady(clusterSize: number): Promise<void> {
    await until(
      `${this.name} to be one of ${clusterSize} nodes`,
      async () => {
        if (this.#child?.exitCode !== null) throw new Error(`It ended:\n${await this.logEnd()}`)
        const status = await this.status().catch(() => undefined)
        return status?.isReady === true && status.clusterSize === clusterSize
      },
      { seconds: startSeconds },
    )
  }

  async status(): Promise<{ isReady: boolean; clusterSize: number }> {
    const rows = await this.query<{ Variable_name: string; Value: string }>(
      "SHOW STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_cluster_size')",
    )
    const values = new Map(rows.map((row) => [row.Variable_name, row.Value]))
    return {
      isReady: values.get('wsrep_ready') === 'ON',
      clusterSize: Number(values.get('wsrep_cluster_size')),
    }
  }

  /** The number of transactions that it has sent to the others. */
  async countReplicated(): Promise<number> {
    const [row] = await this.query<{ Value: string }>("SHOW STATUS LIKE 'wsrep_replicated'")
    return Number(row?.Value)
  }

  /** Runs a statement on a connection of its own. */
  async query<Row>(sql: string, database?: string): Promise<Row[]> {
    const connection: Connection = await createConnection(this.connection(database))
    // A node that ends closes it.
    connection.on('error', () => {})
    try {
      const [rows] = await connection.query<(RowDataPacket & Row)[]>(sql)
      return rows
    } finally {
      connection.destroy()
    }
  }

  /** Stops the process, as if its machine were frozen; its connections stay open. */
  pause(): void {
    this.#child?.kill('SIGSTOP')
  }

  continue(): void {
    this.#child?.kill('SIGCONT')
  }

  /** Cuts the node off from the others: it accepts connections, and refuses statements. */
  async isolate(isIsolated: boolean): Promise<void> {
    await this.query(`SET GLOBAL wsrep_provider_options = 'gmcast.isolate=${isIsolated ? 1 : 0}'`)
  }

  async kill(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child?.pid === undefined) return
    this.guard.forgetGroup(child.pid)
    await endGroup(child)
  }

  async logEnd(): Promise<string> {
    const text = await readFile(join(this.folder, 'log'), 'utf8')
    return text.split('\n').slice(-30).join('\n')
  }

  /** The last transaction that the data folder contains, after a crash as well. */
  async #recoverPosition(): Promise<string> {
    const child = this.#run(['--wsrep-recover'])
    await once(child, 'exit')
    const log = await readFile(join(this.folder, 'log'), 'utf8')
    const position = [...log.matchAll(/Recovered position: ?(\S+:-?\d+)/g)].at(-1)?.[1]
    if (position === undefined) throw new Error(`No position is known:\n${await this.logEnd()}`)
    return position
  }

  #run(parameters: readonly string[]): ChildProcess {
    const { sql, group, transfer } = this.ports
    const options = [
      'base_host=127.0.0.1',
      `base_port=${group}`,
      `gmcast.listen_addr=tcp://127.0.0.1:${group}`,
      `ist.recv_addr=127.0.0.1:${transfer}`,
      `gcache.dir=${join(this.folder, 'data')}`,
      'gcache.size=64M',
      // A paused node is excluded after three seconds instead of five.
      'evs.suspect_timeout=PT3S',
    ]
    const log = openSync(join(this.folder, 'log'), 'a')
    const child = spawn(
      ...withMemoryLimit('mariadbd', [
        '--no-defaults',
        ...user,
        `--datadir=${join(this.folder, 'data')}`,
        `--socket=${join(this.folder, 'socket')}`,
        `--pid-file=${join(this.folder, 'pid')}`,
        '--bind-address=127.0.0.1',
        `--port=${sql}`,
        '--character-set-server=utf8mb4',
        '--max-connections=300',
        '--innodb-buffer-pool-size=32M',
        '--innodb-flush-log-at-trx-commit=2',
        '--innodb-flush-method=nosync',
        '--innodb-autoinc-lock-mode=2',
        '--loose-sync-frm=OFF',
        '--binlog-format=ROW',
        '--wsrep-on=ON',
        `--wsrep-provider=${this.library}`,
        `--wsrep-node-name=${this.name}`,
        '--wsrep-node-address=127.0.0.1',
        '--wsrep-cluster-name=parley-test',
        '--wsrep-sst-method=mysqldump',
        '--wsrep-sst-auth=root:',
        `--wsrep-sst-receive-address=127.0.0.1:${sql}`,
        `--wsrep-provider-options=${options.join(';')}`,
        ...parameters,
      ]),
      {
        cwd: this.folder,
        detached: true,
        env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
        stdio: ['ignore', log, log],
      },
    )
    closeSync(log)
    child.on('error', () => {})
    if (child.pid !== undefined) this.guard.watchGroup(child.pid)
    return child
  }
}
