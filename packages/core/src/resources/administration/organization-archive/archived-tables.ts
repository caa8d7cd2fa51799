import { Type } from 'typebox'

import { present } from '../../../kernel/present.js'
import { closed } from '../../../resource-definition/file-schemas.js'
import type { TableName } from '../../../storage/index.js'
import { factsOf, type Table } from '../../../storage/tables/table.js'
import { tables } from '../../tables.js'
import { schemaOf } from './archive-columns.js'
import type { ArchivedTable } from './archive-table.js'

const all = tables.filter(({ archive }) => typeof archive === 'object').map(archivedTable)

/** The organization itself. */
export const archivedOrganization = present(
  all.find(({ name }) => name === 'organizations'),
  'the organization',
)

/** The archived tables, in the order of their rows in an archive. */
export const archivedTables = all.filter((table) => table !== archivedOrganization)

function archivedTable(table: Table & { readonly name: TableName }): ArchivedTable {
  const { name, archive, primary } = table
  const { of, orderedBy } = typeof archive === 'object' ? archive : {}
  const columns = factsOf(table).filter(
    ([column, { notArchived }]) => column !== 'organization_id' && notArchived === undefined,
  )
  const pick = <Fact extends 'json' | 'refersTo'>(fact: Fact) =>
    Object.fromEntries(
      columns.flatMap(([column, facts]) => {
        const value = facts[fact]
        return value === undefined ? [] : [[column, value]]
      }),
    )
  const references = pick('refersTo')
  return {
    name,
    row: Type.Object(
      Object.fromEntries(columns.map(([column, facts]) => [column, schemaOf(facts)])),
      closed,
    ),
    keys:
      orderedBy ??
      (of === undefined ? primary : [of, ...primary.filter((column) => column !== of)]),
    of: of === undefined ? undefined : { table: present(references[of], of), column: of },
    references,
    json: pick('json'),
  }
}
