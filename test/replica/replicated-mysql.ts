import assert from 'node:assert/strict'

import createKnex, { type Knex } from 'knex'

import { findMysqlServer, startPrivateMysql } from '../../scripts/private-mysql.mjs'
import type { ReplicatedServers } from './replicated-servers.js'

type Server = Awaited<ReturnType<typeof startPrivateMysql>>

const name = 'replicated'

/**
 * Why tests of a replica are skipped; false if they are not.
 *
 * @throws {Error} if `CI=true`, which skips nothing.
 */
export function whyWithoutMysql(): string | false {
  if (process.env.CHAT_TEST_DATABASES?.includes('mysql') === false) {
    return 'this run is about other databases'
  }
  if (findMysqlServer()?.isMariaDb === true) return false
  const reason = 'MARIADB IS NOT INSTALLED: on Debian, apt-get install mariadb-server'
  if (process.env.CI === 'true') throw new Error(reason)
  return reason
}

/** A MariaDB server, and another one that replicates it. */
export class ReplicatedMysql implements ReplicatedServers {
  private constructor(
    private readonly primary: Server,
    readonly replicaServer: Server,
    /** A connection to the replica, as an operator has it. */
    readonly operator: Knex,
  ) {}

  static async start(): Promise<ReplicatedMysql> {
    const primary = await startPrivateMysql({
      options: ['--server-id=1', '--log-bin=log', '--binlog-format=ROW'],
    })
    const replica = await startPrivateMysql({ options: ['--server-id=2', '--skip-slave-start'] })
    const servers = new ReplicatedMysql(
      primary,
      replica,
      createKnex({ client: 'mysql2', connection: replica.url, pool: { min: 0, max: 1 } }),
    )
    await servers.operator.raw(
      `CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${primary.port},
         MASTER_USER = 'root', MASTER_USE_GTID = slave_pos, MASTER_CONNECT_RETRY = 1`,
    )
    await servers.operator.raw('START SLAVE')
    const operator = createKnex({ client: 'mysql2', connection: primary.url })
    await operator.raw(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`)
    await operator.destroy()
    return servers
  }

  get primaryPort(): number {
    return this.primary.port
  }

  async shutDownPrimary(): Promise<void> {
    await this.primary.shutDown()
  }

  async primaryConfigAt(port: number): Promise<Knex.Config> {
    const knex = createKnex({ client: 'mysql2', connection: this.primary.url })
    // One to whom `read_only` applies.
    await knex.raw("CREATE USER chat@'%'")
    await knex.raw(`GRANT ALL ON ${name}.* TO chat@'%'`)
    await knex.destroy()
    await this.operator.raw('SET GLOBAL read_only = ON')
    return { client: 'mysql2', connection: `mysql://chat@127.0.0.1:${port}/${name}` }
  }

  async promote(): Promise<void> {
    for (const statement of ['STOP SLAVE', 'RESET SLAVE ALL', 'SET GLOBAL read_only = OFF']) {
      await this.operator.raw(statement)
    }
  }

  get primaryConfig(): Knex.Config {
    return { client: 'mysql2', connection: this.primary.url + name }
  }

  get replicaConfig(): { client: 'mysql2'; connection: string } {
    return { client: 'mysql2', connection: this.replicaServer.url + name }
  }

  async hold(): Promise<void> {
    await this.operator.raw('STOP SLAVE')
  }

  async follow(): Promise<void> {
    await this.operator.raw('START SLAVE')
  }

  async caughtUp(): Promise<void> {
    const knex = createKnex({ client: 'mysql2', connection: this.primary.url })
    const [[row]] = await knex.raw('SELECT @@gtid_binlog_pos AS position')
    await knex.destroy()
    // The server waits: the primary may write on meanwhile, so positions need not be equal at any time.
    const [[{ isThere }]] = await this.operator.raw(
      'SELECT MASTER_GTID_WAIT(?, 60) = 0 AS isThere',
      [row.position],
    )
    assert.equal(isThere, 1, `The replica has not reached ${row.position} within 60 seconds.`)
  }

  async reads(): Promise<number> {
    const [rows] = await this.operator.raw("SHOW GLOBAL STATUS LIKE 'Com_select'")
    return Number(rows[0].Value)
  }

  async breakReads(): Promise<() => Promise<void>> {
    const rename = async (from: string, to: string): Promise<void> => {
      await this.operator.raw('RENAME TABLE ?? TO ??', [`${name}.${from}`, `${name}.${to}`])
    }
    await this.hold()
    await rename('chat_messages', 'not_here')
    return async () => {
      await rename('not_here', 'chat_messages')
      await this.follow()
    }
  }

  async processIds(): Promise<readonly number[]> {
    return [this.replicaServer.processId]
  }

  async stop(): Promise<void> {
    await this.operator.destroy()
    await this.replicaServer.stop()
    await this.primary.stop()
  }
}
