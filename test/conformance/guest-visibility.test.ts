import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import { hearing, kinds, makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import type { FedEvent } from '../support/event-feed.js'
import { systemGroupId } from '../support/groups.js'
import { everyHost, type HostCase } from '../support/host.js'
import { statementsOf } from '../support/statements.js'

const limited = { settings: { can_access_all_users_group: 'role:members' } } as const
const watched = { event_types: ['realm_user', 'subscription', 'stream', 'message'] } as const
const ofUsers = { event_types: ['realm_user'] } as const

/** `op` and user of each event about users. */
const people = (events: readonly FedEvent[]): unknown[] =>
  events.filter(({ type }) => type === 'realm_user').map(({ op, person }) => [op, person.user_id])

/** Unsubscribes the guest from the channel of all users, which removes his access to them. */
function isolateGuest(at: HostCase): void {
  before(async () => {
    const { gus } = at.people
    const answer = await gus.delete('/users/me/subscriptions', { subscriptions: ['general'] })
    assert.deepEqual(answer.body.removed, ['general'])
  })
}

async function succeeds(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer
  assert.equal(status, 200, text)
}

const subscribe = (at: HostCase, name: string, users: readonly Client[]): Promise<void> =>
  succeeds(
    at.people.adam.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: users.map(({ id }) => id),
    }),
  )
const unsubscribe = (at: HostCase, name: string, users: readonly Client[]): Promise<void> =>
  succeeds(
    at.people.adam.delete('/users/me/subscriptions', {
      subscriptions: [name],
      principals: users.map(({ id }) => id),
    }),
  )

everyHost(
  'subscribe',
  (at) => {
    isolateGuest(at)

    it('sends a guest the subscribers of a channel when the guest is subscribed to it', async () => {
      const { alice, bob, gus, bot, carol } = at.people
      await makeChannel(at.people.olga, 'party', { subscribers: [alice.id, bob.id, bot.id] })

      const received = await hearing(
        { gus, alice, carol },
        () => subscribe(at, 'party', [gus]),
        watched,
      )

      assert.deepEqual(kinds(received.gus).slice(0, 4), [
        'stream/create',
        'subscription/add',
        'realm_user/add',
        'realm_user/add',
      ])
      assert.deepEqual(people(received.gus), [
        ['add', alice.id],
        ['add', bob.id],
      ])
      const { user } = (await gus.get(`/users/${alice.id}`, { client_gravatar: false })).body
      assert.deepEqual(received.gus[2]?.['person'], { ...user, profile_data: {} })
      assert.deepEqual(people(received.alice), [])
      assert.deepEqual(people(received.carol), [])
    })

    it('sends a new subscriber to the guests of the channel before the subscription', async () => {
      const { gus, mona, alice } = at.people
      await makeChannel(at.people.olga, 'first channel', { subscribers: [gus.id] })

      const received = await hearing(
        { gus, alice },
        () => subscribe(at, 'first channel', [mona]),
        watched,
      )

      assert.deepEqual(
        kinds(received.gus).filter((kind) => kind !== 'message'),
        ['realm_user/add', 'subscription/peer_add'],
      )
      assert.deepEqual(people(received.gus), [['add', mona.id]])
      assert.deepEqual(people(received.alice), [])
    })

    it('sends no users that the guest already has access to', async () => {
      const { gus, mona } = at.people
      await makeChannel(at.people.olga, 'second channel', { subscribers: [gus.id, mona.id] })
      await makeChannel(at.people.olga, 'third channel', { subscribers: [gus.id] })

      const received = await hearing({ gus }, () => subscribe(at, 'third channel', [mona]), ofUsers)

      assert.deepEqual(people(received.gus), [])
    })

    it('executes no more statements for more users', async () => {
      const { gus, alice, bob, carol, mona } = at.people
      const count = async (name: string, users: readonly Client[]): Promise<number> => {
        await makeChannel(at.people.olga, name, { subscribers: users.map(({ id }) => id) })
        return (await statementsOf(at.host, () => subscribe(at, name, [gus]))).length
      }
      await unsubscribe(at, 'party', [gus])
      for (const name of ['first channel', 'second channel', 'third channel']) {
        await unsubscribe(at, name, [gus])
      }

      const few = await count('few people', [carol])
      await unsubscribe(at, 'few people', [gus])

      assert.equal(await count('many people', [alice, bob, carol, mona]), few)
    })
  },
  limited,
  {},
)

everyHost(
  'unsubscribe',
  (at) => {
    isolateGuest(at)

    it('removes users from a guest who leaves the only channel shared with them', async () => {
      const { alice, bob, gus } = at.people
      await makeChannel(at.people.olga, 'one', { subscribers: [alice.id, bob.id, gus.id] })
      await makeChannel(at.people.olga, 'two', { subscribers: [bob.id, gus.id] })

      const received = await hearing({ gus, alice }, () => unsubscribe(at, 'one', [gus]), watched)

      assert.deepEqual(kinds(received.gus), [
        'subscription/remove',
        'stream/delete',
        'realm_user/remove',
      ])
      assert.deepEqual(received.gus[2]?.['person'], {
        user_id: alice.id,
        full_name: 'Unknown user',
      })
      assert.deepEqual(people(received.alice), [])
      assert.equal((await gus.get(`/users/${alice.id}`)).body.msg, 'Insufficient permission')
    })

    it('removes a user who leaves a channel from guests who share no other channel', async () => {
      const { carol, gus, mona } = at.people
      await makeChannel(at.people.olga, 'stay', { subscribers: [carol.id, mona.id, gus.id] })

      const received = await hearing({ gus, mona }, () => unsubscribe(at, 'stay', [carol]), watched)

      assert.deepEqual(kinds(received.gus), ['subscription/peer_remove', 'realm_user/remove'])
      assert.deepEqual(people(received.gus), [['remove', carol.id]])
      assert.deepEqual(people(received.mona), [])
    })

    it('keeps users with whom the guest has exchanged direct messages', async () => {
      const { adam, gus } = at.people
      await makeChannel(at.people.olga, 'talked', { subscribers: [adam.id, gus.id] })
      await adam.whisper([gus], 'We know each other')

      const received = await hearing({ gus }, () => unsubscribe(at, 'talked', [gus]), ofUsers)

      assert.deepEqual(people(received.gus), [])
    })
  },
  limited,
)

everyHost(
  'send-message',
  (at) => {
    isolateGuest(at)

    it('sends a guest all participants of a direct message conversation, once', async () => {
      const { alice, bob, carol, gus } = at.people

      const first = await hearing(
        { gus, bob, carol },
        () => alice.whisper([bob, gus], 'Hi'),
        watched,
      )
      const again = await hearing({ gus }, () => bob.whisper([alice, gus], 'Hi again'), watched)

      assert.deepEqual(kinds(first.gus), ['realm_user/add', 'realm_user/add', 'message'])
      assert.deepEqual(people(first.gus), [
        ['add', alice.id],
        ['add', bob.id],
      ])
      assert.equal(first.gus[2]?.['message'].sender_full_name, 'Alice Test')
      assert.deepEqual(kinds(first.bob), ['message'])
      assert.deepEqual(first.carol, [])
      assert.deepEqual(kinds(again.gus), ['message'])
    })

    it('sends only the participants that the guest has no access to yet', async () => {
      const { alice, mona, gus } = at.people

      const received = await hearing({ gus }, () => mona.whisper([alice, gus], 'Hi'), ofUsers)

      assert.deepEqual(people(received.gus), [['add', mona.id]])
    })
  },
  limited,
)

everyHost(
  'deactivate-user',
  (at) => {
    isolateGuest(at)

    it('removes a user who only shares channels with the guest, and sends the user again afterwards', async () => {
      const { olga, bob, carol, gus, mona } = at.people
      await makeChannel(olga, 'shared', { subscribers: [bob.id, carol.id, gus.id] })
      await carol.whisper([gus], 'Hello')
      const types = { event_types: ['realm_user', 'subscription', 'user_group'] } as const
      const toggle = (client: Client, way: 'out' | 'back'): Promise<void> =>
        succeeds(
          way === 'out'
            ? olga.delete(`/users/${client.id}`)
            : olga.post(`/users/${client.id}/reactivate`),
        )

      const deactivated = await hearing({ gus, mona }, () => toggle(bob, 'out'), types)
      const reactivated = await hearing({ gus }, () => toggle(bob, 'back'), types)
      const withAccess = await hearing({ gus }, () => toggle(carol, 'out'), ofUsers)
      const withAccessAgain = await hearing({ gus }, () => toggle(carol, 'back'), ofUsers)
      const withoutAccess = await hearing({ gus }, () => toggle(mona, 'out'), ofUsers)

      assert.deepEqual(
        kinds(deactivated.gus).filter((kind) => kind !== 'user_group/remove_members'),
        ['subscription/peer_remove', 'realm_user/remove'],
      )
      assert.equal(kinds(deactivated.gus).at(-1), 'realm_user/remove')
      assert.deepEqual(people(deactivated.gus), [['remove', bob.id]])
      assert.deepEqual(people(deactivated.mona), [['update', bob.id]])
      assert.deepEqual(
        kinds(reactivated.gus).filter((kind) => kind !== 'user_group/add_members'),
        ['realm_user/add', 'subscription/peer_add'],
      )
      assert.deepEqual(people(reactivated.gus), [['add', bob.id]])
      assert.deepEqual(people(withAccess.gus), [['update', carol.id]])
      assert.deepEqual(people(withAccessAgain.gus), [['update', carol.id]])
      assert.deepEqual(people(withoutAccess.gus), [])
    })
  },
  limited,
)

everyHost(
  'update-user',
  (at) => {
    isolateGuest(at)

    it('sends guests no events about users without access', async () => {
      const { olga, alice, gus, mona } = at.people
      const types = { event_types: ['realm_user', 'presence', 'user_status', 'typing'] } as const

      const received = await hearing(
        { gus, mona },
        async () => {
          await succeeds(olga.patch(`/users/${alice.id}`, { full_name: 'Alice Other' }))
          await succeeds(alice.post('/users/me/status', { status_text: 'Away' }))
          await succeeds(alice.post('/users/me/presence', { status: 'active', ping_only: true }))
          await succeeds(alice.post('/typing', { op: 'start', to: [mona.id, gus.id] }))
        },
        types,
      )

      assert.deepEqual(received.gus, [])
      assert.deepEqual(new Set(received.mona.map(({ type }) => type)), new Set(types.event_types))
    })
  },
  limited,
)

everyHost(
  'get-user',
  (at) => {
    isolateGuest(at)

    it('gives guests access to more or fewer users when the setting changes', async () => {
      const { olga, alice, gus } = at.people
      const letGuestsSee = async (name: string): Promise<void> => {
        const group = await systemGroupId(olga, name)
        await succeeds(olga.patch('/realm', { can_access_all_users_group: { new: group } }))
      }
      const shown = async (): Promise<unknown[]> => {
        const { members } = (await gus.get('/users')).body as {
          members: { user_id: number; full_name: string }[]
        }
        const listed = members.find(({ user_id }) => user_id === alice.id)?.full_name
        return [(await gus.get(`/users/${alice.id}`)).status, listed]
      }

      const atFirst = await shown()
      await letGuestsSee('role:everyone')
      const open = await shown()
      await letGuestsSee('role:members')
      const closed = await shown()

      const hidden = [400, undefined]
      assert.deepEqual([atFirst, open, closed], [hidden, [200, 'Alice Test'], hidden])
    })
  },
  limited,
)

everyHost('subscribe', (at) => {
  it('sends no users to guests who have access to all users', async () => {
    const { gus, alice } = at.people
    await makeChannel(at.people.olga, 'unlimited', { subscribers: [alice.id] })

    const received = await hearing({ gus }, () => subscribe(at, 'unlimited', [gus]), ofUsers)

    assert.deepEqual(received.gus, [])
  })
})
