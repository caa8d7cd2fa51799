import { present } from '../../../kernel/present.js'
import type { TableName } from '../../../storage/index.js'
import { factsOf, type Table } from '../../../storage/tables/table.js'
import { tables } from '../../tables.js'

/** How the rows of a user in one table become records. */
export interface RecordType {
  readonly type: string
  readonly table: TableName
  /** The column with the id of the user. */
  readonly owner: string
  /** The columns by which pages are read; unique for a user. */
  readonly keys: readonly string[]
  /** The columns of a record, with their names and values in the database. */
  readonly columns: readonly string[]
  /** Those of the columns that contain JSON, which becomes part of the record. */
  readonly json: readonly string[]
  /** Whether the table has no index of the owner, so that all of its ids are gone through. */
  readonly isScanned: boolean
}

/** The types of records in the order of an export. */
const order = `account presence status profile_value email_change invitation device push_token
  connection known_address bot group created_group subscription created_channel
  created_channel_folder created_emoji topic_policy alert_word muted_user saved_snippet
  navigation_view draft scheduled_message reminder file audited_change audited_account_change
  direct_conversation message received_message reaction submessage`.split(/\s+/u)

const declared = tables.flatMap((table) => recordTypesOf(table.name, table))

/** The types of records with rows of a table, in the order of the export. */
export const recordTypes: readonly RecordType[] = order.map((type) =>
  present(
    declared.find((one) => one.type === type),
    type,
  ),
)

/** The types of records with rows of the table. */
export function recordTypesOf(name: TableName, table: Table): RecordType[] {
  const { primary, columns: all, exports = {}, isScannedForExports = false } = table
  const marked = factsOf(table).flatMap(([column, { isExported }]) => (isExported ? [column] : []))
  return Object.entries(exports).map(([type, exported]) => {
    const { of: owner, columns } =
      typeof exported === 'string' ? { of: exported, columns: marked } : exported
    const keys = primary.filter((column) => column !== 'organization_id' && column !== owner)
    return {
      type,
      table: name,
      owner,
      keys: keys.length === 0 ? [owner] : keys,
      columns,
      json: columns.filter((column) => all[column]?.facts.json !== undefined),
      isScanned: isScannedForExports,
    }
  })
}
