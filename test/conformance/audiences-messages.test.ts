import assert from 'node:assert/strict'
import { it } from 'node:test'

import { each, heardOf } from '../support/audiences.js'
import { everyHost } from '../support/host.js'

everyHost('add-reaction', (at) => {
  it('is heard by exactly those who follow the message', async () => {
    const { alice } = at.people
    const id = await alice.say(at.channels.vault, 'audience', 'Hush')

    const heard = await heardOf(at, () =>
      alice.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
    )

    assert.deepEqual(heard, each(['alice', 'bob'], 'reaction/add'))
  })
})
