import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyDatabase } from '../support/host.js'

everyDatabase('chat.users.presence', 'koa', (at) => {
  const here = () => ({ organization: at.subdomain })
  const presence = (id: string) => at.host.chat.users.presence(id, here())
  const api = (externalId: string) => at.host.chat.as({ externalId, ...here() }).api

  it('is that of the operation, until the user is offline', async () => {
    const person = (externalId: string) => ({
      externalId,
      email: `${externalId}@app.example`,
      fullName: externalId,
    })
    await at.host.chat.users.sync(['ada', 'ben', 'cleo'].map(person), here())
    // Who has just joined counts as active.
    at.clock.jump(100)
    const now = at.clock.seconds
    await api('ada').updatePresence({ status: 'active' })
    await api('ben').updatePresence({ status: 'idle' })
    const id = await at.host.chat.as({ externalId: 'ada', ...here() }).id()
    const operation = async () =>
      (await at.people.olga.get(`/users/${id}/presence`)).body.presence.aggregated.status

    assert.deepEqual(await presence('ada'), { status: 'active', lastActiveAtSeconds: now })
    assert.equal(await operation(), 'active')
    const found = await at.host.chat.users.presence(['cleo', 'none', 'ben'], here())
    assert.deepEqual(Object.fromEntries(found), {
      ben: { status: 'idle', lastActiveAtSeconds: null },
      cleo: { status: 'offline', lastActiveAtSeconds: null },
    })

    at.clock.jump(201)
    assert.deepEqual(await presence('ada'), { status: 'offline', lastActiveAtSeconds: now })
    assert.equal(await operation(), 'offline')
    await at.host.chat.users.deactivate('ada', here())
    assert.equal(await presence('ada'), undefined)
  })

  it('refuses lists that are too long, and unknown options', async () => {
    const ids = Array.from({ length: 1001 }, (_, index) => `${index}`)

    await assert.rejects(at.host.chat.users.presence(ids, here()), {
      name: 'TypeError',
      message: 'chat.users.presence: ids of users must be a list of at most 1000',
    })
    await assert.rejects(at.host.chat.users.presence('ada', { channels: [] } as object), {
      name: 'TypeError',
      message: 'chat.users.presence: there is no option channels, only organization',
    })
  })
})
