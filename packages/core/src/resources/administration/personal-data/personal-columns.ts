import type { TableName } from '../../../storage/index.js'
import type { PersonalData } from '../../../storage/tables/column.js'
import { factsOf, type Table } from '../../../storage/tables/table.js'
import { tables } from '../../tables.js'
import { recordTypesOf } from './export-records.js'

/** A column with ids of users. */
interface PersonalColumn extends PersonalData {
  readonly table: TableName
  readonly column: string
  /** The type of the records in an export; undefined if the rows are not exported. */
  readonly exportedAs: string | undefined
}

/** Every column with ids of users. A test compares the list with the page docs/personal-data.md. */
export const personalColumns: readonly PersonalColumn[] = tables.flatMap((table) =>
  columnsOf(table.name, table),
)

function columnsOf(name: TableName, table: Table): PersonalColumn[] {
  return factsOf(table).flatMap(([column, { personal }]) => {
    if (personal === undefined) return []
    const exported = recordTypesOf(name, table).find(({ owner }) => owner === column)
    return [{ table: name, column, ...personal, exportedAs: exported?.type }]
  })
}
