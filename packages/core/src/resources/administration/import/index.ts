export { OrganizationFileError } from './organization-file-error.js'
export { OrganizationFile } from './organization-file-schema.js'
export { OrganizationLoader, type LoadedOrganization } from './organization-loader.js'
export { SectionLoadersToken, type SectionLoaders } from './section-loader.js'
