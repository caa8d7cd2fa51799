import { inject } from 'tsyringe'
import { Type, type Static } from 'typebox'

import { topicKey } from '../../domain/topics.js'
import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import {
  chunksOf,
  closed,
  defineFileSection,
  FileId,
  type FileLoading,
  FileSeconds,
  type FileSectionLoader,
} from '../file-sections/index.js'
import { UserTopicRepository } from './user-topic-repository.js'
import { requireTopic, TopicVisibility } from './user-topic-service.js'

const FileUserTopic = Type.Object(
  {
    user_id: FileId,
    channel_id: FileId,
    topic: Type.String(),
    policy: Type.Union([Type.Literal('muted'), Type.Literal('unmuted'), Type.Literal('followed')]),
    updated_at_seconds: Type.Optional(FileSeconds),
  },
  closed,
)
type FileUserTopic = Static<typeof FileUserTopic>

/** Stores what users of an organization file want to see of topics. */
@perServer()
class UserTopicFileLoader implements FileSectionLoader<FileUserTopic> {
  constructor(@inject(UserTopicRepository) private readonly topics: UserTopicRepository) {}

  async load(
    tx: Transaction,
    items: readonly FileUserTopic[],
    { createdAtSeconds }: FileLoading,
  ): Promise<void> {
    for (const chunk of chunksOf(items)) {
      const rows = chunk.map(({ policy, topic, ...item }) => {
        const name = requireTopic(topic)
        return {
          updated_at_seconds: createdAtSeconds,
          ...item,
          topic: name,
          topic_key: topicKey(name),
          visibility_policy: TopicVisibility[policy],
        }
      })
      await this.topics.insertMany(tx, rows)
    }
  }
}

export const userTopicFile = defineFileSection({
  key: 'user_topics',
  summary: 'Topics that users have muted, unmuted or followed; sending a message adds none.',
  item: FileUserTopic,
  loader: UserTopicFileLoader,
  async check(items, check) {
    const once = check.once()
    for await (const { place, item } of items) {
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      check.requireKnown(`${place}/channel_id`, 'channel', item.channel_id)
      const topic = check.requireRule(`${place}/topic`, () => requireTopic(item.topic))
      if (topic === undefined) continue
      once(`${place}/topic`, `${item.user_id} ${item.channel_id} ${topicKey(topic)}`, topic)
    }
  },
})
