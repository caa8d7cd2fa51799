export { getApiDescription } from './api-description-operations.js'
export { DescribeApiToken } from './api-description.js'
export { apiTopics, topicOf, type ApiTopic } from './api-topics.js'
export { eventComponents, eventSchema, heartbeat } from './event-components.js'
