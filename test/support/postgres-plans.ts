import type { Knex } from 'knex'

import type { Statement } from './statements.js'

/** A part of a plan of PostgreSQL that has run. */
interface PostgresStep {
  readonly 'Node Type': string
  readonly Alias?: string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PostgresStep[]
}

/** More than a range needs, and fewer than a user has received. */
const manyRows = 800

const maxInt4 = 2 ** 31 - 1

/** All steps of a plan that has run. */
export async function stepsOf(knex: Knex, { sql, bindings }: Statement): Promise<PostgresStep[]> {
  let position = 0
  const typed = sql.replaceAll('`', '"').replaceAll('?', () => {
    const value = bindings[position++]
    if (typeof value !== 'number') return '?'
    return value > maxInt4 ? '?::int8' : '?::int4'
  })
  const { rows } = await knex.transaction(async (trx) => {
    // Tables as small as these are read, or joined, as a whole more quickly than by an index.
    for (const way of ['seqscan', 'mergejoin', 'hashjoin']) {
      await trx.raw(`SET LOCAL enable_${way} = off`)
    }
    return (await trx.raw(`EXPLAIN (ANALYZE, FORMAT JSON) ${typed}`, bindings as never)) as {
      rows: [{ 'QUERY PLAN': readonly [{ Plan: PostgresStep }] }]
    }
  })
  const steps: PostgresStep[] = [rows[0]['QUERY PLAN'][0].Plan]
  for (const step of steps) steps.push(...(step.Plans ?? []))
  return steps
}

/** What reads, or sorts, so many rows; PostgreSQL may read few rows in any way. */
export function readsOfSteps(steps: readonly PostgresStep[]): { scans: string[]; sorts: boolean } {
  const countOf = (step: PostgresStep): number =>
    (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops']
  return {
    scans: steps
      .filter(
        (step) =>
          step['Relation Name'] !== undefined &&
          step['Index Cond'] === undefined &&
          countOf(step) >= manyRows,
      )
      .map((step) => `${step['Node Type']} ${step['Relation Name']} ${step.Alias}`),
    sorts: steps.some(
      (step) =>
        step['Node Type'] === 'Sort' &&
        (step.Plans ?? []).some((part) => countOf(part) >= manyRows),
    ),
  }
}
