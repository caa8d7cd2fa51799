import type { Knex } from 'knex'

/** Ids that are skipped one by one. More than another process can take in a moment. */
const maxSteps = 10_000

/** Raises the next id of a table to at least `nextId`. */
export async function reserveIds(executor: Knex, table: string, nextId: number): Promise<void> {
  if (nextId <= 1) return
  const [sequence] = await rowsOf<{ name: string }>(
    executor,
    "SELECT pg_get_serial_sequence(quote_ident(?), 'id') AS name",
    [table],
  )
  if (sequence === undefined) throw new Error(`${table} has no sequence of ids`)
  const { name } = sequence
  const [state] = await rowsOf<{ steps: number }>(
    executor,
    `SELECT ? - last_value + CASE WHEN is_called THEN 0 ELSE 1 END AS steps FROM ${name}`,
    [nextId - 1],
  )
  const steps = Number(state?.steps)
  if (steps <= 0) return
  // Others take ids at the same time, which setval would give out again.
  if (steps <= maxSteps) {
    await executor.raw(`SELECT COUNT(nextval(?)) FROM generate_series(1, ?)`, [name, steps])
  } else {
    await executor.raw('SELECT setval(?, ?)', [name, nextId - 1])
  }
}

async function rowsOf<Row>(executor: Knex, sql: string, values: readonly unknown[]) {
  const { rows } = (await executor.raw(sql, values as never)) as unknown as { rows: Row[] }
  return rows
}
