import { defineResource } from '../../../resource-definition/resource.js'
import { getStreamTopics } from './topic-operations.js'
import { mutedTopicsChanged, userTopicChanged } from './user-topic-events.js'
import { userTopicFile } from './user-topic-file-section.js'
import { muteTopic, updateUserTopic } from './user-topic-operations.js'
import { userTopicSnapshot } from './user-topic-snapshot.js'

export { TopicParticipation } from './topic-participation.js'
export { TopicPolicies } from './topic-policies.js'
export { TopicRepository } from './topic-repository.js'
export { UserTopicRepository } from './user-topic-repository.js'
export { userTopicChanged } from './user-topic-events.js'
export { TopicVisibility, UserTopicService } from './user-topic-service.js'

export const topics = defineResource({
  operations: [getStreamTopics, updateUserTopic, muteTopic],
  events: [mutedTopicsChanged, userTopicChanged],
  snapshot: userTopicSnapshot,
  fileSection: userTopicFile,
})
