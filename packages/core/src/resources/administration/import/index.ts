export { OrganizationFileFormat } from './organization-file-format.js'
export { organizationFileSchema } from './organization-file-schema.js'
export { OrganizationLoader, type LoadedOrganization } from './organization-loader.js'
export { userSettingProblem } from './settings-check.js'
