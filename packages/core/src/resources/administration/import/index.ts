export { OrganizationFileFormat } from './organization-file-format.js'
export { organizationFileSchema } from './organization-file-schema.js'
export { OrganizationLoader, type LoadedOrganization } from './organization-loader.js'
export { SectionLoadersToken, type SectionLoaders } from './section-loader.js'
