import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyDatabase } from '../support/host.js'
import { statementsOf } from '../support/statements.js'

everyDatabase('mutes and alert words', 'koa', (at) => {
  const flagsOf = async (client: Client, id: number): Promise<string[]> =>
    (await client.get(`/messages/${id}`)).body.message.flags

  const say = async (client: Client, content: string): Promise<number> =>
    client.say(at.channels.design, 'lunch', content)

  it('are read again only for the user who has changed them', async () => {
    const { alice, bob, mona } = at.people
    await mona.post('/users/me/alert_words', { alert_words: ['pepper'] })
    await mona.post(`/users/me/muted_users/${alice.id}`)
    await say(bob, 'Nothing yet')
    await bob.post('/users/me/alert_words', { alert_words: ['salt'] })
    await bob.post(`/users/me/muted_users/${alice.id}`)
    let id = 0

    const statements = await statementsOf(at.host, async () => {
      id = await say(alice, 'salt and pepper')
    })

    assert.deepEqual((await flagsOf(bob, id)).toSorted(), ['has_alert_word', 'read'])
    for (const table of ['alert_words', 'muted_users']) {
      const reads = statements.filter(({ sql }) => sql.includes(`chat_${table}`))
      assert.equal(reads.length, 1, table)
      assert.match(reads[0]?.sql ?? '', /user_id. in \(\?\)/, table)
      assert.ok(reads[0]?.bindings.includes(bob.id))
    }
    await bob.delete('/users/me/alert_words', { alert_words: ['salt'] })
    await bob.delete(`/users/me/muted_users/${alice.id}`)
    assert.deepEqual(await flagsOf(bob, await say(alice, 'salt again')), [])
  })

  it('are read again if another process has changed them', async () => {
    const { alice, carol } = at.people
    const second = await at.host.another('express')
    try {
      const { window } = at.channels
      await carol.post('/users/me/subscriptions', { subscriptions: [{ name: 'window' }] })
      await alice.post('/users/me/subscriptions', { subscriptions: [{ name: 'window' }] })
      const elsewhere = second.clientOf(carol)
      await alice.say(window, 'lunch', 'Before')
      await elsewhere.post('/users/me/alert_words', { alert_words: ['bread'] })
      await elsewhere.post(`/users/me/muted_users/${alice.id}`)

      const id = await alice.say(window, 'lunch', 'bread')

      assert.ok((await flagsOf(carol, id)).includes('read'))
    } finally {
      await second.stop()
    }
  })
})
