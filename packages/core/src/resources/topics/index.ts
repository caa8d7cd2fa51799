export { getStreamTopics } from './topic-operations.js'
export { TopicService } from './topic-service.js'
