import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'

import { allOperations } from '../../packages/core/src/resources/index.js'
import type { Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'
import { fetchWith, open, spectatorCalls, webPublic } from '../support/spectators.js'

/** What the address of a user is recognized by: itself, and the hash in the URL of a gravatar. */
const tracesOf = ({ email }: Client): string[] => [
  email,
  createHash('md5').update(email).digest('hex'),
]

/** Messages in a web-public channel in which users of each kind occur. @returns the last one. */
async function fill({ people, channels }: HostCase): Promise<number> {
  const { olga, alice, bob, carol, gus, bot } = people
  const { window } = channels
  for (const user of [bob, carol, gus]) {
    await olga.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'window' }],
      principals: [user.id],
    })
  }
  await bot.say(window, 'place', 'from a bot')
  await carol.say(window, 'place', 'from a user who leaves')
  await gus.say(window, 'place', '/poll Which?\nthis\nthat')
  const id = await alice.say(window, 'before', `@**Bob Test** and @_**Carol Test|${carol.id}**`)
  await bob.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  await alice.patch(`/messages/${id}`, { content: '@**Bob Test** again' })
  await olga.patch(`/messages/${id}`, { topic: 'place', send_notification_to_new_thread: true })
  await olga.delete(`/users/${carol.id}`)
  return id
}

everyHost(
  'spectators',
  (at) => {
    it('get no real address of a user from any operation', async () => {
      const spectators = allOperations.filter(({ access }) => access === 'userOrSpectator')
      assert.deepEqual(Object.keys(spectatorCalls).sort(), spectators.map(({ id }) => id).sort())
      const messageId = await fill(at)
      const known = JSON.stringify(
        (await at.people.alice.get('/users', { client_gravatar: false })).body,
      )
      for (const trace of tracesOf(at.people.bob)) assert.ok(known.includes(trace), trace)

      for (const [operationId, call] of Object.entries(spectatorCalls)) {
        const { status, text } = await call(at, messageId)
        assert.equal(status, 200, text)
        for (const user of Object.values(at.people)) {
          for (const trace of tracesOf(user)) {
            assert.ok(!text.toLowerCase().includes(trace), `${operationId}: ${user.name}, ${trace}`)
          }
        }
      }
    })
  },
  open,
  { gravatar: true },
)

everyHost(
  'get-messages',
  (at) => {
    it('does not match the real addresses of senders for spectators', async () => {
      const { alice } = at.people
      const id = await alice.say(at.channels.window, 'sender', 'for all')
      const found = async (operand: unknown) =>
        (await fetchWith(at, [webPublic, { operator: 'sender', operand }])).body.messages
      const [{ sender_email }] = await found(alice.id)

      assert.deepEqual(
        (await found(sender_email)).map((message: { id: number }) => message.id),
        [id],
      )
      for (const email of [alice.email, 'unknown@nowhere.example']) {
        assert.deepEqual(await found(email), [])
      }
    })
  },
  open,
)

everyHost(
  'get-users',
  (at) => {
    it('lists only subscribers of web-public channels for spectators', async () => {
      const { olga, alice, bob } = at.people
      const idsFor = async (params = {}) =>
        (await at.nobody.get('/users', params)).body.members.map(({ user_id }) => user_id)
      const window = { subscriptions: [{ name: 'window' }] }

      assert.deepEqual(await idsFor(), [alice.id])
      await bob.post('/users/me/subscriptions', window)
      assert.deepEqual(await idsFor(), [alice.id, bob.id])
      assert.deepEqual(await idsFor({ user_ids: [bob.id, olga.id, at.unknownId] }), [bob.id])
      await alice.delete('/users/me/subscriptions', { subscriptions: ['window'] })
      assert.deepEqual(await idsFor(), [bob.id])
      await olga.delete(`/users/${bob.id}`)
      assert.deepEqual(await idsFor(), [])
    })
  },
  open,
)
