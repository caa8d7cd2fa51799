import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { PendingEvent } from '../../../packages/core/src/events/event.js'
import {
  textRemoved,
  textsErased,
  withoutErasedTexts,
} from '../../../packages/core/src/events/log/text-changes.js'

const sent = (messageId: number, rest?: object): PendingEvent => ({
  kind: 'note',
  data: { text: `text ${messageId}` },
  audience: { userIds: [1] },
  messageId,
  withoutText: () => rest,
})

describe('the events of one commit', () => {
  it('omit the content of messages that a later event of the commit removes', () => {
    const [kept, later] = [sent(2), sent(1)]

    const events = withoutErasedTexts([
      sent(1),
      kept,
      sent(3, { rest: 3 }),
      textsErased({ seqs: [], messageIds: [1, 3] }),
      later,
    ])

    assert.deepEqual(events[0], textRemoved({}))
    assert.equal(events[1], kept)
    assert.deepEqual(events[2]?.data, { rest: 3 })
    assert.deepEqual(events[2]?.audience, { userIds: [1] })
    assert.equal(events[4], later)
    assert.equal(events.length, 5)
  })
})
