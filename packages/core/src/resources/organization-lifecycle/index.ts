export { deactivateRealm } from './organization-lifecycle-operations.js'
export { OrganizationLifecycle } from './organization-lifecycle.js'
