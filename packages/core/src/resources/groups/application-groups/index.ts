export { ApplicationGroups } from './application-groups.js'
