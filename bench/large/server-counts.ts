import type { Knex } from 'knex'

import type { BenchDatabase } from '../harness/databases.js'

/** What a server has been sent and has read so far. Only differences mean anything. */
export interface ServerCounts {
  readonly statements: number
  /** Rows on MySQL, and pages on PostgreSQL, which counts rows with a delay. */
  readonly reads: number
}

export async function serverCounts({ name }: BenchDatabase, knex: Knex): Promise<ServerCounts> {
  return name === 'postgres' ? postgresCounts(knex) : mysqlCounts(knex)
}

async function postgresCounts(knex: Knex): Promise<ServerCounts> {
  const { rows } = (await knex.raw(
    `SELECT SUM(calls) AS statements, SUM(shared_blks_hit + shared_blks_read) AS reads
     FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%'`,
  )) as { rows: [{ statements: string; reads: string }] }
  return { statements: Number(rows[0].statements), reads: Number(rows[0].reads) }
}

async function mysqlCounts(knex: Knex): Promise<ServerCounts> {
  const [rows] = (await knex.raw(
    "SHOW GLOBAL STATUS WHERE Variable_name = 'Questions' OR Variable_name LIKE 'Handler_read%'",
  )) as [{ Variable_name: string; Value: string }[]]
  let [statements, reads] = [0, 0]
  for (const { Variable_name: name, Value: value } of rows) {
    if (name === 'Questions') statements = Number(value)
    else reads += Number(value)
  }
  return { statements, reads }
}
