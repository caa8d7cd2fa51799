import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'

everyDatabase('the traffic of channels', 'express', (at) => {
  it('is counted outside of transactions, which use the last count meanwhile', async () => {
    const { alice, carol } = at.people
    const { design } = at.channels
    const trafficOf = async (): Promise<unknown> =>
      (await alice.get(`/streams/${design}`)).body.stream.stream_weekly_traffic
    // New channels have no traffic yet.
    at.clock.jump(30 * 86_400)
    assert.equal(await trafficOf(), 0)
    for (let index = 0; index < 8; index += 1) await alice.say(design, 'lunch', String(index))
    at.clock.jump(3700)
    const feed = await carol.listen({ event_types: ['subscription'] })

    await alice.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'design' }],
      principals: [carol.id],
    })

    const [event] = await feed.drain()
    assert.equal(event?.['subscriptions'][0].stream_weekly_traffic, 0)
    await until('the new count', async () => (await trafficOf()) === 2)
  })
})
