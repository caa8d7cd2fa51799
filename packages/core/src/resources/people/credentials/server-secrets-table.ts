import { string } from '../../../storage/tables/column.js'
import { defineServerTable } from '../../../storage/tables/table.js'

export const serverSecrets = defineServerTable('server_secrets', {
  columns: {
    name: string(40),
    value: string(200),
  },
  primary: ['name'],
})
