import type { Knex } from 'knex'

/** Every table, column and index of a database, in a fixed order, for comparisons. */
export async function schemaOf(knex: Knex): Promise<readonly unknown[]> {
  if (String(knex.client.driverName).includes('sqlite')) {
    return (await knex('sqlite_master')
      .whereNot('name', 'like', 'sqlite_%')
      .orderBy(['type', 'name'])
      .select('type', 'name', 'sql')) as unknown[]
  }
  if (String(knex.client.driverName) === 'pg') {
    return [
      ...(await knex('information_schema.columns')
        .where({ table_schema: 'public' })
        .orderBy(['table_name', 'ordinal_position'])
        .select<unknown[]>(
          'table_name',
          'column_name',
          'ordinal_position',
          'udt_name',
          'character_maximum_length',
          'is_nullable',
          'column_default',
          'collation_name',
          'generation_expression',
        )),
      ...(await knex('pg_indexes')
        .where({ schemaname: 'public' })
        .orderBy('indexname')
        .select<unknown[]>('*')),
    ]
  }
  const sections: unknown[] = []
  for (const [table, columns] of Object.entries(mysqlSections)) {
    const order = columns.map((_, index) => index + 1).join(', ')
    const [rows] = (await knex.raw(
      `SELECT ${columns.join(', ')} FROM information_schema.${table}
       WHERE table_schema = DATABASE() ORDER BY ${order}`,
    )) as unknown as [unknown[]]
    sections.push(...rows)
  }
  return sections
}

const mysqlSections: Readonly<Record<string, readonly string[]>> = {
  tables: ['table_name', 'engine', 'table_collation'],
  columns: [
    'table_name',
    'column_name',
    'ordinal_position',
    'column_type',
    'is_nullable',
    'column_default',
    'collation_name',
    'extra',
    'generation_expression',
  ],
  statistics: ['table_name', 'index_name', 'seq_in_index', 'column_name', 'non_unique'],
}
