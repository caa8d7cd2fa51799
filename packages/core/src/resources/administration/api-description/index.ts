import { defineResource } from '../../../resource-definition/resource.js'
import { getApiDescription } from './api-description-operations.js'

export { DescribeApiToken } from './api-description.js'
export { apiTopics, groupNameOf, topicOf } from './api-topics.js'
export { parameterDescriptions } from './parameter-descriptions.js'
export { eventComponents, eventSchema, heartbeat } from './event-components.js'

export const apiDescription = defineResource({
  operations: [getApiDescription],
})
