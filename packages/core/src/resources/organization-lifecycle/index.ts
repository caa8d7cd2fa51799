export { OrganizationLifecycle } from './organization-lifecycle.js'
