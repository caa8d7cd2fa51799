export { DescribeApiToken } from './api-description.js'
export { getApiDescription } from './api-description-operations.js'
export { eventComponents, eventSchema, heartbeat } from './event-components.js'
