export { getStreamTopics } from './topic-operations.js'
export { TopicRepository } from './topic-repository.js'
