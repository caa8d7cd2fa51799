import type { Knex } from 'knex'

import type { MigrationContext } from '../migrations/migration.js'
import type { ColumnFacts } from './column.js'
import { factsOf, type Table } from './table.js'

/** Adds the statements that create a table and its indexes. */
export function createTable(context: MigrationContext, table: Table): void {
  if (table.create !== undefined) {
    table.create(context)
    return
  }
  const { name, primary, unique = [], index = [] } = table
  const { hasPartialIndexes } = context.dialect.tables
  const isPartial = ({ whereNull }: { readonly whereNull?: string }) =>
    whereNull !== undefined && hasPartialIndexes
  context.create(name, (t) => {
    const facts = factsOf(table)
    for (const [column, one] of facts) {
      const added = addColumn(t, column, one, context)
      // A first column that is the whole key has no constraint of its own.
      if (column === facts[0]?.[0] && primary.join() === column) continue
      if (one.isNullable === true) added.nullable()
      else added.notNullable()
    }
    if (table.columns['id']?.facts.kind !== 'id') t.primary([...primary])
    for (const one of unique) {
      if ('columns' in one) t.unique([...one.columns], { indexName: context.table(one.name) })
      else t.unique([...one])
    }
    for (const one of index) {
      if (!('columns' in one)) t.index([...one])
      else if (!isPartial(one)) t.index([...one.columns], context.table(one.name))
    }
  })
  for (const one of index) {
    if (!('columns' in one) || !isPartial(one)) continue
    const columns = one.columns.filter((column) => column !== one.whereNull).join(', ')
    const created = `CREATE INDEX ${context.table(one.name)} ON ${context.table(name)}`
    context.raw(`${created} (${columns}) WHERE ${one.whereNull} IS NULL`)
  }
}

function addColumn(
  t: Knex.CreateTableBuilder,
  name: string,
  facts: ColumnFacts,
  context: MigrationContext,
): Knex.ColumnBuilder {
  const type = context.dialect.tables.typeOf?.(name, facts)
  if (type === undefined && name === 'id' && facts.kind === 'id') return t.increments('id')
  const column = type === undefined ? typed(t, name, facts) : t.specificType(name, type)
  if (facts.default != null) column.defaultTo(facts.default)
  return column
}

function typed(
  t: Knex.CreateTableBuilder,
  name: string,
  { kind, maxLength }: ColumnFacts,
): Knex.ColumnBuilder {
  switch (kind) {
    case 'id':
    case 'count':
      return t.integer(name).unsigned()
    case 'integer':
      return t.integer(name)
    case 'bigInteger':
      return t.bigInteger(name)
    case 'number':
      return t.double(name)
    case 'boolean':
      return t.boolean(name)
    case 'string':
      return t.string(name, maxLength)
    case 'text':
      return t.text(name)
    case 'longText':
      return t.text(name, 'mediumtext')
    case 'bytes':
      return t.binary(name)
  }
}
