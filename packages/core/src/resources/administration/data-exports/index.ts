import { defineResource } from '../../../resource-definition/resource.js'
import { dataExportsChanged } from './data-export-events.js'
import {
  deleteRealmExport,
  exportRealm,
  getRealmExportConsents,
  getRealmExports,
  readRealmExport,
} from './data-export-operations.js'
import { DataExportProduction } from './data-export-production.js'

export const dataExports = defineResource({
  operations: [
    getRealmExports,
    exportRealm,
    getRealmExportConsents,
    deleteRealmExport,
    readRealmExport,
  ],
  events: [dataExportsChanged],
  backgroundWork: [DataExportProduction],
})
