import { boolean, id, string } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const realmDomains = defineTable('realm_domains', {
  columns: {
    id: id(),
    /** Lower-case. */
    domain: string(255),
    allow_subdomains: boolean(),
  },
  unique: [['organization_id', 'domain']],
  archive: {},
})
export type RealmDomainRow = RowOf<typeof realmDomains>
