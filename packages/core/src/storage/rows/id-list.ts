/**
 * Ids from the database for `IN (…)`, written into the statement: there may be more of them than a
 * statement may have placeholders. The conversion makes sure that nothing but numbers gets there.
 */
export function idList(ids: readonly number[]): string {
  return ids.map(Number).join(',')
}
