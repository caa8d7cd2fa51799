import { execFile } from 'node:child_process'
import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import createKnex, { type Knex } from 'knex'

import { findPostgresServer, startPrivatePostgres } from '../../scripts/private-postgres.mjs'
import { until } from '../support/waiting.js'
import type { ReplicatedServers } from './replicated-servers.js'

type Server = Awaited<ReturnType<typeof startPrivatePostgres>>

const name = 'replicated'
/** Of the chat: without the settings of sessions, and what Knex asks on each connection. */
const read = /(?:statement|execute [^:]*): \s*(?!select version\(\))select/gi

/**
 * Why tests of a replica are skipped; false if they are not.
 *
 * @throws {Error} if `CI=true`, which skips nothing.
 */
export function whyWithoutPostgres(): string | false {
  if (process.env.CHAT_TEST_DATABASES?.includes('postgres') === false) {
    return 'this run is about other databases'
  }
  if (findPostgresServer() !== undefined) return false
  const reason = 'POSTGRESQL IS NOT INSTALLED: on Debian, apt-get install postgresql'
  if (process.env.CI === 'true') throw new Error(reason)
  return reason
}

/** A PostgreSQL server, and a hot standby. */
export class ReplicatedPostgres implements ReplicatedServers {
  private constructor(
    private readonly primary: Server,
    readonly replicaServer: Server,
    /** Connections to the chat's database, as an operator has them. */
    readonly operators: { readonly primary: Knex; readonly replica: Knex },
  ) {}

  static async start(): Promise<ReplicatedPostgres> {
    const primary = await startPrivatePostgres()
    const operator = createKnex({ client: 'pg', connection: `${primary.url}postgres` })
    await operator.raw(`CREATE DATABASE ${name}`)
    await operator.raw('CREATE TABLE marks (id int GENERATED ALWAYS AS IDENTITY)')
    const folder = await mkdtemp(join(tmpdir(), 'parley-standby-'))
    const options = [
      '-R',
      '--checkpoint=fast',
      `--dbname=${primary.url}`,
      `--pgdata=${folder}/data`,
    ]
    await promisify(execFile)('pg_basebackup', options)
    const replica = await startPrivatePostgres({
      baseBackup: join(folder, 'data'),
      // A read that is in the way of the replication is ended at once.
      options: ['-c', 'log_statement=all', '-c', 'max_standby_streaming_delay=0'],
    })
    await rm(folder, { recursive: true })
    return new ReplicatedPostgres(primary, replica, {
      primary: operator,
      replica: createKnex({
        client: 'pg',
        connection: `${replica.url}postgres`,
        pool: { min: 0, max: 1 },
      }),
    })
  }

  get primaryPort(): number {
    return this.primary.port
  }

  async shutDownPrimary(): Promise<void> {
    await this.primary.shutDown()
  }

  async promote(): Promise<void> {
    await this.operators.replica.raw('SELECT pg_promote()')
  }

  async primaryConfigAt(port: number): Promise<Knex.Config> {
    const url = new URL(this.primary.url + name)
    url.port = String(port)
    return { client: 'pg', connection: url.href }
  }

  get primaryConfig(): Knex.Config {
    return { client: 'pg', connection: this.primary.url + name }
  }

  get replicaConfig(): { client: 'pg'; connection: string } {
    return { client: 'pg', connection: this.replicaServer.url + name }
  }

  async hold(): Promise<void> {
    const { replica } = this.operators
    await replica.raw('SELECT pg_wal_replay_pause()')
    await until('the pause', async () => {
      const { rows } = await replica.raw('SELECT pg_get_wal_replay_pause_state() AS state')
      return rows[0].state === 'paused'
    })
  }

  async follow(): Promise<void> {
    await this.operators.replica.raw('SELECT pg_wal_replay_resume()')
  }

  async caughtUp(): Promise<void> {
    const { primary, replica } = this.operators
    const id = await primary.transaction(async (trx) => {
      // The servers of tests flush commits later. This one, and all before it, are flushed at once.
      await trx.raw('SET LOCAL synchronous_commit = local')
      const { rows } = await trx.raw('INSERT INTO marks DEFAULT VALUES RETURNING id')
      return rows[0].id as number
    })
    await until('the replica', async () => (await replica('marks').where({ id })).length > 0)
  }

  async reads(): Promise<number> {
    return (await readFile(this.replicaServer.log, 'utf8')).match(read)?.length ?? 0
  }

  async breakReads(): Promise<() => Promise<void>> {
    return this.doAtReads("RAISE 'broken'")
  }

  /**
   * Lets reads of messages do something first, at the replica only. It is replicated, as nothing can
   * be changed there.
   *
   * @returns what ends that.
   */
  async doAtReads(statement: string): Promise<() => Promise<void>> {
    await this.#atPrimary(
      `ALTER TABLE chat_messages RENAME TO chat_message_rows;
       CREATE FUNCTION may_read() RETURNS boolean LANGUAGE plpgsql AS
         $$ BEGIN IF pg_is_in_recovery() THEN ${statement}; END IF; RETURN true; END $$;
       CREATE VIEW chat_messages AS SELECT * FROM chat_message_rows WHERE may_read()`,
    )
    return () =>
      this.#atPrimary(
        `DROP VIEW chat_messages; DROP FUNCTION may_read;
         ALTER TABLE chat_message_rows RENAME TO chat_messages`,
      )
  }

  async #atPrimary(sql: string): Promise<void> {
    const knex = createKnex(this.primaryConfig)
    await knex.raw(sql)
    await knex.destroy()
    await this.caughtUp()
  }

  async processIds(): Promise<readonly number[]> {
    const sessions = await this.operators.replica('pg_stat_activity').where({ datname: name })
    // The first one opens connections.
    return [this.replicaServer.processId, ...sessions.map(({ pid }) => pid as number)]
  }

  async stop(): Promise<void> {
    await this.operators.primary.destroy()
    await this.operators.replica.destroy()
    await this.replicaServer.stop()
    await this.primary.stop()
  }
}
