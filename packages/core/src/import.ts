export { OrganizationArchiveError } from './resources/administration/organization-archive/archive-reader.js'
export { OrganizationFileError } from './resources/administration/import/organization-file-error.js'
export type { LoadedOrganization } from './resources/administration/import/index.js'
