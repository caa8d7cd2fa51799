import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { missedTopics } from '../../../packages/core/src/resources/notifications/digests/missed-topics.js'

/** Messages of a topic from these senders, with ids from `firstId`. */
function topic(topic_key: string, firstId: number, senders: readonly number[], policy = 0) {
  return senders.map((sender_id, index) => ({
    id: firstId + index,
    sender_id,
    channel_id: 1,
    topic_key,
    policy,
  }))
}

describe('missed topics', () => {
  it('are followed ones first, then those of most senders, of most messages, and newest', () => {
    const rows = [
      ...topic('old', 1, [1]),
      ...topic('new', 90, [1]),
      ...topic('many', 10, [1, 1, 1]),
      ...topic('pair', 20, [1, 2]),
      ...topic('followed', 30, [1], 3),
      ...topic('unmuted', 40, [1], 2),
    ]
    const ids = missedTopics(rows, 1).map(({ firstMessageIds }) => firstMessageIds[0])

    assert.deepEqual(ids, [30, 20, 10, 90, 40, 1])
  })

  it('list the first messages, and senders by their number of messages, whatever the order', () => {
    const rows = topic('one', 1, [5, 6, 6, 7]).toReversed()

    assert.deepEqual(
      missedTopics(rows, 3).map(({ messageCount, senderIds, firstMessageIds }) => {
        return { messageCount, senderIds, firstMessageIds }
      }),
      [{ messageCount: 4, senderIds: [6, 5, 7], firstMessageIds: [1, 2, 3] }],
    )
  })

  it('are distinguished by channel and topic', () => {
    const rows = [
      { id: 1, sender_id: 1, channel_id: 1, topic_key: '1/a', policy: 0 },
      { id: 2, sender_id: 1, channel_id: 11, topic_key: 'a', policy: 0 },
      { id: 3, sender_id: 1, channel_id: 1, topic_key: 'a', policy: 0 },
    ]
    assert.equal(missedTopics(rows, 3).length, 3)
  })

  it('are none without messages', () => {
    assert.deepEqual(missedTopics([], 3), [])
  })
})
