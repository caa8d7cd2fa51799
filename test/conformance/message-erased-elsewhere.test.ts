import assert from 'node:assert/strict'
import { it } from 'node:test'

import { noticeOthers } from '../support/event-calls.js'
import { everyDatabase } from '../support/host.js'
import { SampleBus } from '../unit/events/sample-log.js'

/** It says that it works, and carries nothing to other processes. */
const hangingBus = () => Object.assign(new SampleBus(), { isConnected: true })

everyDatabase('A message that was deleted at another process', 'express', (at) => {
  for (const [title, pausesSeconds, options] of [
    ['without a bus', [0.3], () => ({})],
    ['with a bus that hangs', [0.2, 0.19], () => ({ bus: hangingBus() })],
  ] as const) {
    it(`is not in a poll after the interval of polling, ${title}`, async () => {
      const { alice, bob, olga } = at.people
      const second = await at.host.another('koa', options())
      try {
        const [writer, reader] = [second.clientOf(alice), second.clientOf(bob)]
        const { body: queue } = await reader.post('/register', { event_types: ['message'] })
        const poll = { queue_id: queue.queue_id, last_event_id: -1, dont_block: true }
        const id = await writer.say(at.channels.general, 'a', 'soon gone')
        const before = await reader.get('/events', poll)
        await olga.delete(`/messages/${id}`)

        // A poll of the log comes in between, which a bus that works makes unnecessary.
        for (const seconds of pausesSeconds) {
          second.clock.pause(seconds)
          if (seconds !== pausesSeconds.at(-1)) await noticeOthers(second)
        }
        const after = await reader.get('/events', poll)

        assert.ok(before.text.includes('soon gone'), before.text)
        assert.equal(after.body.result, 'success', after.text)
        assert.ok(!after.text.includes('soon gone'), after.text)
      } finally {
        await second.stop()
      }
    })
  }
})
