import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'

everyHost('register-queue', (at) => {
  it('answers many concurrent requests, with empty caches', async () => {
    const { olga, adam, alice, bob, gus } = at.people
    const clients = [olga, adam, alice, bob, gus].flatMap((person) => [person, person, person])

    const answers = await Promise.all(clients.map((client) => client.post('/register')))

    assert.deepEqual(
      answers.map(({ status }) => status),
      clients.map(() => 200),
    )
  })
})
