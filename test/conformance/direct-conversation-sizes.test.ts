import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import { allOperations } from '../../packages/core/src/resources/index.js'
import { castOf } from '../support/cast.js'
import type { Answer, Client } from '../support/client.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

/** The default of the quota `usersPerDirectConversation`, and a bound for what each of them is sent. */
const maxUsers = 100
const maxEventBytes = 32_768

const base = 500_000
const crowd = Array.from({ length: maxUsers }, (_, index) => base + 1000 + index)

/** Loads an organization with 100 users in addition to the usual ones. */
async function crowded(at: HostCase): Promise<{ alice: Client; bob: Client }> {
  const subdomain = 'crowded'
  const cast = castOf(base, subdomain, {}, (...args) => at.host.client(subdomain, ...args))
  const users = crowd.map((id) => ({
    id,
    email: `${'a'.repeat(40)}${id}@crowd.example`,
    full_name: `${'N'.repeat(90)} ${id}`,
    role: 400,
    joined_at_seconds: 1_700_000_000,
  }))
  cast.file.users.push(...users)
  await at.host.chat.organizations.load(cast.file)
  return cast.people
}

type Call = (at: HostCase, sender: Client, to: number[]) => Promise<Answer>

const scheduled = (at: HostCase, to: number[]) => ({
  type: 'direct',
  to: JSON.stringify(to),
  content: 'later',
  scheduled_delivery_timestamp: at.clock.seconds + 86_400,
})

const draft = (to: number[]) => ({ type: 'private', to, topic: '', content: 'a draft' })

/** A call of each operation that names the users of a direct conversation. */
const calls: Readonly<Record<string, Call>> = {
  'send-message': (_, sender, to) =>
    sender.post('/messages', { type: 'direct', to, content: 'Hello' }),
  'set-typing-status': (_, sender, to) => sender.post('/typing', { op: 'start', to }),
  'create-drafts': (_, sender, to) => sender.post('/drafts', { drafts: [draft(to)] }),
  'edit-draft': async (_, sender, to) => {
    const { body } = await sender.post('/drafts', { drafts: [draft([sender.id])] })
    return sender.patch(`/drafts/${body.ids[0]}`, { draft: draft(to) })
  },
  'create-scheduled-message': (at, sender, to) =>
    sender.post('/scheduled_messages', scheduled(at, to)),
  'update-scheduled-message': async (at, sender, to) => {
    const { body } = await sender.post('/scheduled_messages', scheduled(at, [sender.id]))
    return sender.patch(`/scheduled_messages/${body.scheduled_message_id}`, {
      type: 'direct',
      to: JSON.stringify(to),
    })
  },
}

everyDatabase('a direct conversation of many users', 'express', (at) => {
  let people: { readonly alice: Client; readonly bob: Client }
  before(async () => {
    people = await crowded(at)
  })

  it('is named by these operations', () => {
    const naming = allOperations.filter(({ params }) =>
      /"to":|"(Draft|DraftInput)"/.test(JSON.stringify(params ?? {})),
    )
    assert.deepEqual(naming.map(({ id }) => id).sort(), Object.keys(calls).sort())
  })

  for (const [id, call] of Object.entries(calls)) {
    it(`has at most 100 users in ${id}`, async () => {
      const { alice } = people
      const [first = 0, ...most] = crowd
      const refusal = 'Too many users in a direct conversation (limit: 100)'
      for (const to of [
        [first, ...most],
        [alice.id, first, ...most],
      ]) {
        assertRefused(await call(at, alice, to), refusal)
      }
      const answer = await call(at, alice, [alice.id, ...most, ...most])
      assert.equal(answer.status, 200, answer.text)
    })
  }

  it('sends events of a bounded size to each of them', async () => {
    const { alice, bob } = people
    const feed = await bob.listen()
    const to = [bob.id, ...crowd.slice(2)]
    for (const call of Object.values(calls)) await call(at, alice, to)
    const { body } = await alice.post('/messages', { type: 'direct', to, content: 'Hello' })
    const path = `/messages/${body.id}`
    const answers = [
      await alice.post(`${path}/typing`, { op: 'start' }),
      await alice.post(`${path}/reactions`, { emoji_name: 'tada' }),
      await alice.patch(path, { content: 'Changed' }),
    ]
    for (const answer of answers) assert.equal(answer.status, 200, answer.text)

    const events = await feed.drain()

    const kinds = new Set(events.map(({ type }) => type))
    for (const kind of ['message', 'typing', 'typing_edit_message', 'reaction', 'update_message'])
      assert.ok(kinds.has(kind), kind)
    for (const event of events) {
      const { length } = JSON.stringify(event)
      assert.ok(length < maxEventBytes, `${event.type}: ${length} characters`)
    }
  })
})
