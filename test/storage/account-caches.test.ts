import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyDatabase } from '../support/host.js'
import { statementsOf } from '../support/statements.js'

everyDatabase('the cached accounts of callers', 'express', (at) => {
  it('remain cached when the account of another user changes', async () => {
    const { alice, bob } = at.people
    for (const client of [alice, bob]) await client.get('/users/me')
    for (const client of [alice, bob]) await client.post('/drafts', { drafts: [] })
    const accountsRead = async (work: () => Promise<unknown>): Promise<number> => {
      const statements = await statementsOf(at.host, work)
      return statements.filter(({ sql }) => /select \* from \Wchat_users\W/i.test(sql)).length
    }

    await alice.patch('/settings', { full_name: 'Alice Again' })
    const ofOthers = await accountsRead(async () => {
      assert.equal((await bob.get('/users/me')).status, 200)
      assert.equal((await bob.post('/drafts', { drafts: [] })).status, 200)
    })
    const own = await accountsRead(async () => {
      assert.equal((await alice.get('/users/me')).body.full_name, 'Alice Again')
    })

    assert.equal(ofOthers, 0)
    assert.ok(own > 0)
  })

  it('are read again when the account itself changes, in this process or another one', async () => {
    const { adam, carol, olga } = at.people
    const second = await at.host.another('koa')
    try {
      const elsewhere = second.clientOf(carol)
      for (const client of [carol, elsewhere]) {
        assert.equal((await client.get('/users/me')).body.role, 400)
      }
      await olga.patch(`/users/${carol.id}`, { role: 300 })
      assert.equal((await carol.get('/users/me')).body.role, 300)
      await adam.delete(`/users/${carol.id}`)
      assert.equal((await carol.get('/users/me')).status, 401)
      second.clock.fire(0.25)
      await elsewhere.post('/drafts', { drafts: [] })
      assert.equal((await elsewhere.get('/users/me')).status, 401)
    } finally {
      await second.stop()
    }
  })
})
