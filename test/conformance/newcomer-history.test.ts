import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'

let newcomers = 0

/** A client of a user who has just been created. */
async function newcomer(at: HostCase): Promise<Client> {
  newcomers += 1
  const email = `late${newcomers}@people.example`
  const password = 'correct horse battery'
  const { status, text } = await at.people.olga.post('/users', {
    email,
    full_name: `Late Person ${newcomers}`,
    password,
  })
  assert.equal(status, 200, text)
  const key = await at.nobody.post('/fetch_api_key', { username: email, password })
  const { api_key: apiKey, user_id } = key.body
  return at.host.client(at.subdomain, { email, apiKey }, user_id, email)
}

/** IDs and flags of the newest channel messages of the client's own history, oldest first. */
async function history(client: Client): Promise<{ id: number; flags: string[] }[]> {
  const answer = await client.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0 })
  const messages = answer.body.messages as { id: number; flags: string[]; type: string }[]
  // The Welcome Bot sends new users a direct message.
  return messages.filter(({ type }) => type === 'stream').map(({ id, flags }) => ({ id, flags }))
}

everyHost('create-user', (at) => {
  it('adds the recent messages of public default channels, the newest 20 of them unread', async () => {
    const { alice } = at.people
    await alice.say(at.channels.design, 'elsewhere', 'Not in a default channel')
    const ids: number[] = []
    for (let n = 0; n < 22; n += 1) ids.push(await alice.say(at.channels.general, 'old', `${n}`))

    const nina = await newcomer(at)

    assert.deepEqual(
      await history(nina),
      ids.map((id, index) => ({
        id,
        flags: index < 2 ? ['read', 'historical'] : ['historical'],
      })),
    )
    const { unread_msgs } = (
      await nina.post('/register', { event_types: ['message', 'update_message_flags'] })
    ).body
    assert.deepEqual(unread_msgs.streams, [
      { stream_id: at.channels.general, topic: 'old', unread_message_ids: ids.slice(2) },
    ])
  })

  it('adds messages of the last twelve weeks', async () => {
    const { alice } = at.people
    const old = await alice.say(at.channels.general, 'past', 'Forgotten')
    at.clock.advance(86_400)
    const kept = await alice.say(at.channels.general, 'past', 'Just in time')
    at.clock.advance(12 * 7 * 86_400 - 1)

    const ids = (await history(await newcomer(at))).map(({ id }) => id)

    assert.equal(ids.includes(old), false)
    assert.deepEqual(ids, [kept])
  })

  it('selects the newest messages across several channels', async () => {
    const { alice, adam } = at.people
    await adam.post('/default_streams', { stream_id: at.channels.design })
    const mixed: number[] = []
    for (let n = 0; n < 12; n += 1) {
      mixed.push(await alice.say(at.channels.general, 'mixed', `${n}`))
      mixed.push(await alice.say(at.channels.design, 'mixed', `${n}`))
    }

    const found = await history(await newcomer(at))

    const unread = found.filter(({ flags }) => !flags.includes('read')).map(({ id }) => id)
    assert.deepEqual(unread, mixed.slice(-20))
    await adam.delete('/default_streams', { stream_id: at.channels.design })
  })

  it('sends no event about the added history', async () => {
    const { alice, olga } = at.people
    await alice.say(at.channels.general, 'quiet', 'Before')
    const feed = await olga.listen({ event_types: ['message', 'update_message_flags'] })

    await newcomer(at)

    assert.deepEqual(await feed.drain(), [])
  })
})
