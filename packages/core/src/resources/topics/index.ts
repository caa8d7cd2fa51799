export { getStreamTopics } from './topic-operations.js'
export { TopicRepository } from './topic-repository.js'
export { TopicService } from './topic-service.js'
