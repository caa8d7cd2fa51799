import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import type { Answer, Client } from '../support/client.js'
import type { EventFeed } from '../support/event-feed.js'
import { everyHost, type HostCase } from '../support/host.js'

const unknownEmail = 'unknown@product.example'

/** The terms that name users, with one user each. */
const terms: readonly ((user: { id: number; email: string }) => object)[] = [
  ({ id }) => ({ operator: 'sender', operand: id }),
  ({ email }) => ({ operator: 'sender', operand: email }),
  ({ email }) => ({ operator: 'sender', operand: email, negated: true }),
  ({ id }) => ({ operator: 'dm', operand: [id] }),
  ({ email }) => ({ operator: 'dm', operand: email }),
  ({ email }) => ({ operator: 'dm', operand: email, negated: true }),
  ({ id }) => ({ operator: 'dm-including', operand: id }),
  ({ email }) => ({ operator: 'dm-including', operand: email }),
  ({ email }) => ({ operator: 'group-pm-with', operand: email }),
]

/** What the caller gets for a narrow, in each operation that takes one. */
async function answersTo(by: Client, narrow: unknown, messageId: number): Promise<string[]> {
  const range = { anchor: 'newest', num_before: 20, num_after: 0, narrow }
  const mark = { ...range, op: 'add', flag: 'starred' }
  // The first call may change flags.
  if (by.credentials !== undefined) await by.post('/messages/flags/narrow', mark)
  const answers: Answer[] = [
    await by.get('/messages', range),
    await by.get('/messages', { ...range, anchor: 'first_unread' }),
    await by.get('/messages', { narrow, message_ids: [messageId] }),
    await by.post('/messages/flags/narrow', mark),
    await by.get('/messages/matches_narrow', { narrow, msg_ids: [messageId] }),
  ]
  return answers.map(({ status, text }) => `${status} ${text}`)
}

async function found(by: Client, narrow: readonly object[]): Promise<number[]> {
  const { body } = await by.get('/messages', { anchor: 'newest', num_before: 20, narrow })
  return body.messages.map(({ id }) => id)
}

/** The messages in a queue whose narrow excludes the usual marker. */
async function contentsOf(feed: EventFeed): Promise<string[]> {
  const draft = { type: '', to: [], topic: '', content: 'marker' }
  await feed.client.post('/drafts', { drafts: [draft] })
  const events = await feed.until('the marker', ({ type }) => type === 'drafts')
  return events.flatMap(({ message }) => (message === undefined ? [] : [message.content]))
}

/** Alice writes in a channel of the guest, and leaves it: the guest cannot access her any more. */
async function leaveMessage(at: HostCase): Promise<number> {
  const { olga, alice, gus } = at.people
  await gus.delete('/users/me/subscriptions', { subscriptions: ['general'] })
  const party = await makeChannel(olga, 'party', { subscribers: [olga.id, alice.id, gus.id] })
  const id = await alice.say(party, 'lunch', 'Soup')
  await alice.delete('/users/me/subscriptions', { subscriptions: ['party'] })
  const { status } = await gus.get(`/users/${alice.id}`)
  assert.equal(status, 400)
  return id
}

everyHost(
  'get-messages',
  (at) => {
    let messageId = 0
    before(async () => {
      messageId = await leaveMessage(at)
    })

    it('answers guests alike about users whom they cannot see and unknown ones', async () => {
      const { bob, gus } = at.people
      const unknown = { id: at.unknownId, email: unknownEmail }

      for (const term of terms) {
        assert.equal((await gus.get(`/users/${bob.id}`)).status, 400)
        const ofHidden = await answersTo(gus, [term(bob)], messageId)
        const ofUnknown = await answersTo(gus, [term(unknown)], messageId)
        assert.deepEqual(ofHidden, ofUnknown, JSON.stringify(term(bob)))
        assert.ok(ofHidden.every((answer) => answer.startsWith('200')))
      }
    })

    it('finds visible messages of a hidden sender by the id, but not by the address', async () => {
      const { alice, gus, olga } = at.people

      assert.deepEqual(await found(gus, [{ operator: 'sender', operand: alice.id }]), [messageId])
      assert.deepEqual(await found(gus, [{ operator: 'sender', operand: alice.email }]), [])
      const ofOlga = await olga.say(at.channels.general, 'lunch', 'Salad')
      assert.deepEqual(await found(olga, [{ operator: 'sender', operand: olga.email }]), [ofOlga])
    })

    it('sends a queue with the address of a sender no events if it is hidden from the owner', async () => {
      const { alice, gus, olga } = at.people
      const options = {
        event_types: ['message', 'drafts'],
        narrow: [['sender', olga.email]],
      } as const
      const [ofGuest, ofAlice] = [await gus.listen(options), await alice.listen(options)]
      const subscribers = [olga.id, alice.id, gus.id]
      const farewell = await makeChannel(olga, 'farewell', { subscribers })
      await olga.say(farewell, 'lunch', 'Seen by both')
      await olga.delete('/users/me/subscriptions', { subscriptions: ['farewell', 'party'] })

      await olga.say(farewell, 'lunch', 'Seen by one')

      const [both, one] = ['Seen by both', 'Seen by one']
      assert.deepEqual(await contentsOf(ofAlice), [both, one])
      assert.deepEqual(await contentsOf(ofGuest), [both])
    })

    it('names unknown users to those who can see all', async () => {
      const answers = await answersTo(
        at.people.bob,
        [{ operator: 'dm', operand: unknownEmail }],
        messageId,
      )

      assert.ok(answers.every((answer) => answer.includes(`unknown user in ${unknownEmail}`)))
    })
  },
  { settings: { can_access_all_users_group: 'role:members' } },
)

everyHost(
  'get-messages',
  (at) => {
    it('answers spectators alike about senders whom they do not see and unknown ones', async () => {
      const { alice, bob } = at.people
      const id = await alice.say(at.channels.window, 'lunch', 'Soup')
      const from = (operand: unknown) => [
        { operator: 'channels', operand: 'web-public' },
        { operator: 'sender', operand },
      ]
      const answerTo = async (operand: unknown): Promise<string> =>
        (
          await at.nobody.get('/messages', {
            anchor: 'newest',
            num_before: 5,
            narrow: from(operand),
          })
        ).text

      assert.deepEqual(await found(at.nobody, from(alice.id)), [id])
      assert.equal(await answerTo(bob.email), await answerTo(unknownEmail))
      assert.equal(await answerTo(bob.id), await answerTo(at.unknownId))
    })
  },
  { settings: { enable_spectator_access: true } },
)
