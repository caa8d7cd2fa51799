import { defineResource } from '../../../resource-definition/resource.js'
import { AbandonedImports } from './abandoned-imports.js'

export { OrganizationExport } from './organization-export.js'
export {
  OrganizationImport,
  type ImportedOrganization,
  type ImportOptions,
} from './organization-import.js'

export const organizationArchive = defineResource({
  backgroundWork: [AbandonedImports],
})
