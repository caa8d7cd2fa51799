import assert from 'node:assert/strict'
import { it } from 'node:test'

import createKnex from 'knex'

import type { Client } from '../support/client.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import { statementsOf } from '../support/statements.js'

/** The ids in the list of users to whom the newest event about linkifiers was sent. */
async function receivers(at: HostCase): Promise<readonly number[]> {
  const knex = createKnex(at.host.databaseConfig)
  try {
    const { audience_id } = await knex('chat_events')
      .where('kind', 'like', 'realm_linkifiers%')
      .orderBy('seq', 'desc')
      .first()
    const { user_ids } = await knex('chat_event_audiences').where({ id: audience_id }).first()
    return String(user_ids).split(',').map(Number)
  } finally {
    await knex.destroy()
  }
}

everyDatabase('the list of all active users', 'koa', (at) => {
  const addLinkifier = async (name: string, by: Client = at.people.olga): Promise<void> => {
    const url_template = `https://${name}.example/{id}`
    const pattern = `${name}-(?P<id>[0-9]+)`
    assert.equal((await by.post('/realm/filters', { pattern, url_template })).status, 200)
  }

  it('is not read again by writes', async () => {
    await addLinkifier('first')
    await addLinkifier('second')

    const statements = await statementsOf(at.host, () => addLinkifier('third'))

    assert.ok(!statements.some(({ sql }) => /^select\b.*active_audience_id/.test(sql)))
  })

  it('is that of now, whichever process has changed it last', async () => {
    const { olga, adam, bob } = at.people
    await addLinkifier('stores-the-list')
    const second = await at.host.another('express')
    try {
      const elsewhere = second.clientOf(olga)
      await addLinkifier('before', elsewhere)
      assert.equal((await olga.delete(`/users/${bob.id}`)).status, 200)

      await addLinkifier('after', elsewhere)
      const afterAnother = await receivers(at)
      assert.equal((await elsewhere.delete(`/users/${adam.id}`)).status, 200)
      await addLinkifier('last', elsewhere)
      const afterOwn = await receivers(at)

      assert.ok(afterAnother.includes(adam.id))
      assert.ok(!afterAnother.includes(bob.id))
      assert.ok(!afterOwn.includes(adam.id))
    } finally {
      await second.stop()
    }
  })
})
