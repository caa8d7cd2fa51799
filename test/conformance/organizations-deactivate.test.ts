import assert from 'node:assert/strict'
import { it } from 'node:test'

import { park } from '../support/event-calls.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const listenOptions = { event_types: ['realm'] }

const notOwner = 'Must be an organization owner'

everyHost('deactivate-realm', (at) => {
  it('returns an error to users who are not owners', async () => {
    const { adam, alice, bot } = at.people
    for (const client of [adam, alice, bot]) {
      const answer = await client.post('/realm/deactivate')
      assertRefused(answer, notOwner, { code: 'UNAUTHORIZED_PRINCIPAL' })
    }
  })

  it('sends the event to waiting clients, and rejects all later requests', async () => {
    const { olga, alice } = at.people
    const feed = await alice.listen(listenOptions)
    const waiting = feed.poll()

    const answer = await olga.post('/realm/deactivate')

    assert.deepEqual(answer.body, bareSuccess)
    const events = withoutIds(await waiting)
    assert.deepEqual(
      events.map(({ type, op }) => ({ type, op })),
      [{ type: 'realm', op: 'deactivated' }],
    )
    for (const client of [olga, alice]) {
      const refused = await client.get('/users/me')
      assert.deepEqual([refused.status, refused.body.code], [401, 'REALM_DEACTIVATED'])
    }
  })
})

everyHost('deactivate-realm', (at) => {
  it('sends the event to all users of the organization, and to no user of another one', async () => {
    const { olga, adam, mona, alice, bob, gus, bot } = at.people
    const other = await at.host.organization()
    const elsewhere = await other.people.olga.listen(listenOptions)
    const polls = []
    for (const client of [olga, adam, mona, alice, bob, gus, bot]) {
      const { queueId, lastEventId } = await client.listen(listenOptions)
      const params = { queue_id: queueId, last_event_id: lastEventId }
      polls.push(await park(client, at.clock, params))
    }

    await olga.post('/realm/deactivate')

    for (const { answer } of polls) {
      const [event, ...more] = (await answer).body.events
      assert.deepEqual([event.type, event.op, more], ['realm', 'deactivated', []])
    }
    assert.deepEqual(await elsewhere.drain(), [])
  })
})
