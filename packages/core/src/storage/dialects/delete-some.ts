import type { Dialect } from './dialect.js'

/** Deletes by the key, where a DELETE itself cannot be limited. */
export const deleteSome: Dialect['deleteSome'] = async (
  executor,
  table,
  keys,
  { sql, values },
  limit,
) => {
  const some = executor(table)
    .whereRaw(sql, [...values] as never)
    .limit(limit)
    .select(...keys)
  return executor(table)
    .whereIn([...keys], some as never)
    .delete()
}
