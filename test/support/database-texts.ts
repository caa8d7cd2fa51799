import knexPackage, { type Knex } from 'knex'

/** All rows of all tables of a database. */
export async function readTables(
  config: Knex.Config,
): Promise<ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>> {
  const knex = knexPackage(config)
  try {
    const tables = new Map<string, Readonly<Record<string, unknown>>[]>()
    for (const name of await tableNames(knex)) {
      tables.set(name, (await knex(name).select('*')) as Readonly<Record<string, unknown>>[])
    }
    return tables
  } finally {
    await knex.destroy()
  }
}

/** Every value of a database that contains one of these texts, in any case of its letters. */
export async function findTexts(config: Knex.Config, texts: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const [table, rows] of await readTables(config)) {
    for (const row of rows) {
      for (const [column, value] of Object.entries(row)) {
        const text = (
          Buffer.isBuffer(value) ? value.toString('latin1') : String(value)
        ).toLowerCase()
        if (texts.some((one) => text.includes(one.toLowerCase()))) {
          found.push(`${table}.${column}: ${text.slice(0, 300)}`)
        }
      }
    }
  }
  return found
}

/** The names of all tables of a database. */
export async function tableNames(knex: Knex): Promise<string[]> {
  if (String(knex.client.driverName).includes('sqlite')) {
    const rows = await knex('sqlite_master')
      .where({ type: 'table' })
      .whereNot('name', 'like', 'sqlite_%')
      .orderBy('name')
      .select<{ name: string }[]>('name')
    return rows.map(({ name }) => name)
  }
  if (String(knex.client.driverName) === 'pg') {
    const rows = await knex('information_schema.tables')
      .where({ table_schema: 'public' })
      .orderBy('table_name')
      .select<{ name: string }[]>('table_name as name')
    return rows.map(({ name }) => name)
  }
  const [rows] = (await knex.raw(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY 1',
  )) as unknown as [{ name: string }[]]
  return rows.map(({ name }) => name)
}
