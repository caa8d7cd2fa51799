import type { TableName } from '../../../storage/index.js'
import type { Table } from '../../../storage/tables/table.js'
import { tables } from '../../tables.js'

/** By which column the rows of an organization are found, so that an index is used. */
export type OwningColumn = 'message_id' | 'user_id' | 'organization_id'

interface OrganizationTable {
  readonly name: TableName
  readonly by: OwningColumn
  /** The columns of the primary key. */
  readonly keys: readonly [string, ...string[]]
}

/** Every table with rows of organizations, except those that `SearchIndex` empties. */
export const organizationTables: readonly OrganizationTable[] = tables.flatMap((table) =>
  organizationTable(table.name, table),
)

function organizationTable(name: TableName, table: Table): OrganizationTable[] {
  if (table.isOfSearchIndex === true || table.columns['organization_id'] === undefined) return []
  const { primary, unique = [], index = [] } = table
  const indexes = [...unique, ...index].map((one) => ('columns' in one ? one.columns : one))
  const first = new Set([primary, ...indexes].map(([column]) => column))
  const by = (['organization_id', 'user_id', 'message_id'] as const).find((one) => first.has(one))
  return [{ name, by: by ?? 'organization_id', keys: primary }]
}
