import { createTable } from '../tables/create-table.js'
import type { Table } from '../tables/table.js'
import type { Migration } from './migration.js'

/** Creates the tables of the first release. */
export function firstRelease(tables: readonly Table[]): Migration {
  return {
    name: '0001-first-release',
    up(context) {
      for (const table of tables) createTable(context, table)
    },
  }
}
