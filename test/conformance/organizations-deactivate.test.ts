import assert from 'node:assert/strict'
import { it } from 'node:test'

import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const hearing = { event_types: ['realm'] }

const notOwner = 'Must be an organization owner'

everyHost('deactivate-realm', (at) => {
  it('is for owners only', async () => {
    const { adam, alice, bot } = at.people
    for (const client of [adam, alice, bot]) {
      const answer = await client.post('/realm/deactivate')
      assertRefused(answer, notOwner, { code: 'UNAUTHORIZED_PRINCIPAL' })
    }
  })

  it('tells waiting clients, and refuses everyone from then on', async () => {
    const { olga, alice } = at.people
    const feed = await alice.listen(hearing)
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
