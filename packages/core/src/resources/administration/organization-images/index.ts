export { organizationImageOperations } from './organization-image-operations.js'
