import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'

everyHost('send-message', (at) => {
  it('reaches every subscriber of the channel and nobody else', async () => {
    const { alice, bob, carol } = at.people
    const [bobHears, carolHears] = [await bob.listen(), await carol.listen()]

    const answer = await alice.post('/messages', {
      type: 'channel',
      to: 'design',
      topic: 'logo',
      content: 'Is it **round**?',
    })

    assert.deepEqual(Object.keys(answer.body).sort(), ['id', 'msg', 'result'])
    const [event, ...more] = await bobHears.drain()
    assert.deepEqual(more, [])
    assert.equal(event?.['message'].id, answer.body.id)
    assert.equal(event?.['message'].subject, 'logo')
    assert.deepEqual(event?.['flags'], [])
    assert.deepEqual(await carolHears.drain(), [])
  })
})
