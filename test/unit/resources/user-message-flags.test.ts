import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { flagGroupsOf } from '../../../packages/core/src/resources/messages/sending/user-message-flags.js'

const [read, mentioned, channelMentioned] = [1, 8, 16]

function message(id: number, forEveryone: number, ofUsers: readonly (readonly [number, number])[]) {
  return { id, flags: { forEveryone, ofUsers: new Map(ofUsers) } }
}

describe('the flags of the user messages of new messages', () => {
  it('are set in one group for all messages that have the same', () => {
    const groups = flagGroupsOf([
      message(1, 0, [[20, read]]),
      message(2, 0, [[21, read]]),
      message(3, 0, [[20, read]]),
    ])

    assert.deepEqual(groups, [
      { messageIds: [1, 3], userIds: [20], mask: read },
      { messageIds: [2], userIds: [21], mask: read },
    ])
  })

  it('of single users come before those of everyone, and include them', () => {
    const groups = flagGroupsOf([
      message(1, channelMentioned, [
        [20, read],
        [21, mentioned],
        [22, read],
      ]),
    ])

    assert.deepEqual(groups, [
      { messageIds: [1], userIds: [20, 22], mask: read | channelMentioned },
      { messageIds: [1], userIds: [21], mask: mentioned | channelMentioned },
      { messageIds: [1], userIds: undefined, mask: channelMentioned },
    ])
  })

  it('need no group if no message has flags', () => {
    assert.deepEqual(flagGroupsOf([message(1, 0, []), message(2, 0, [])]), [])
  })

  it('of everyone are kept apart by message', () => {
    const groups = flagGroupsOf([message(1, channelMentioned, []), message(2, 0, [])])

    assert.deepEqual(groups, [{ messageIds: [1], userIds: undefined, mask: channelMentioned }])
  })
})
