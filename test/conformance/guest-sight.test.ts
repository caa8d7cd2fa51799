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

/** Takes the guest out of the channel that everybody is in, so that he knows of nobody. */
function alone(at: HostCase): void {
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
    alone(at)

    it('shows a guest the people of a channel that he comes to', async () => {
      const { alice, bob, gus, bot, carol } = at.people
      await makeChannel(at.people.olga, 'party', { subscribers: [alice.id, bob.id, bot.id] })

      const heard = await hearing(
        { gus, alice, carol },
        () => subscribe(at, 'party', [gus]),
        watched,
      )

      assert.deepEqual(kinds(heard.gus).slice(0, 4), [
        'stream/create',
        'subscription/add',
        'realm_user/add',
        'realm_user/add',
      ])
      assert.deepEqual(people(heard.gus), [
        ['add', alice.id],
        ['add', bob.id],
      ])
      const { user } = (await gus.get(`/users/${alice.id}`, { client_gravatar: false })).body
      assert.deepEqual(heard.gus[2]?.['person'], { ...user, profile_data: {} })
      assert.deepEqual(people(heard.alice), [])
      assert.deepEqual(people(heard.carol), [])
    })

    it('shows the guests of a channel who comes to it, before they hear that they did', async () => {
      const { gus, mona, alice } = at.people
      await makeChannel(at.people.olga, 'open house', { subscribers: [gus.id] })

      const heard = await hearing(
        { gus, alice },
        () => subscribe(at, 'open house', [mona]),
        watched,
      )

      assert.deepEqual(
        kinds(heard.gus).filter((kind) => kind !== 'message'),
        ['realm_user/add', 'subscription/peer_add'],
      )
      assert.deepEqual(people(heard.gus), [['add', mona.id]])
      assert.deepEqual(people(heard.alice), [])
    })

    it('shows nobody again whom the guest knows already', async () => {
      const { gus, mona } = at.people
      await makeChannel(at.people.olga, 'second house', { subscribers: [gus.id, mona.id] })
      await makeChannel(at.people.olga, 'third house', { subscribers: [gus.id] })

      const heard = await hearing({ gus }, () => subscribe(at, 'third house', [mona]), ofUsers)

      assert.deepEqual(people(heard.gus), [])
    })

    it('does not need more statements for more people', async () => {
      const { gus, alice, bob, carol, mona } = at.people
      const count = async (name: string, users: readonly Client[]): Promise<number> => {
        await makeChannel(at.people.olga, name, { subscribers: users.map(({ id }) => id) })
        return (await statementsOf(() => subscribe(at, name, [gus]))).length
      }
      await unsubscribe(at, 'party', [gus])
      for (const name of ['open house', 'second house', 'third house']) {
        await unsubscribe(at, name, [gus])
      }

      const few = await count('few people', [carol])
      await unsubscribe(at, 'few people', [gus])

      assert.equal(await count('many people', [alice, bob, carol, mona]), few)
    })
  },
  limited,
)

everyHost(
  'unsubscribe',
  (at) => {
    alone(at)

    it('takes people from the sight of a guest who leaves their only common channel', async () => {
      const { alice, bob, gus } = at.people
      await makeChannel(at.people.olga, 'one', { subscribers: [alice.id, bob.id, gus.id] })
      await makeChannel(at.people.olga, 'two', { subscribers: [bob.id, gus.id] })

      const heard = await hearing({ gus, alice }, () => unsubscribe(at, 'one', [gus]), watched)

      assert.deepEqual(kinds(heard.gus), [
        'subscription/remove',
        'stream/delete',
        'realm_user/remove',
      ])
      assert.deepEqual(heard.gus[2]?.['person'], { user_id: alice.id, full_name: 'Unknown user' })
      assert.deepEqual(people(heard.alice), [])
      assert.equal((await gus.get(`/users/${alice.id}`)).body.msg, 'Insufficient permission')
    })

    it('takes who leaves from the sight of the guests who stay', async () => {
      const { carol, gus, mona } = at.people
      await makeChannel(at.people.olga, 'stay', { subscribers: [carol.id, mona.id, gus.id] })

      const heard = await hearing({ gus, mona }, () => unsubscribe(at, 'stay', [carol]), watched)

      assert.deepEqual(kinds(heard.gus), ['subscription/peer_remove', 'realm_user/remove'])
      assert.deepEqual(people(heard.gus), [['remove', carol.id]])
      assert.deepEqual(people(heard.mona), [])
    })

    it('leaves those in sight with whom the guest has talked', async () => {
      const { adam, gus } = at.people
      await makeChannel(at.people.olga, 'talked', { subscribers: [adam.id, gus.id] })
      await adam.whisper([gus], 'We know each other')

      const heard = await hearing({ gus }, () => unsubscribe(at, 'talked', [gus]), ofUsers)

      assert.deepEqual(people(heard.gus), [])
    })
  },
  limited,
)

everyHost(
  'send-message',
  (at) => {
    alone(at)

    it('shows a guest all who are in a direct conversation with him, once', async () => {
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

    it('shows one of them only, where the guest knows the other', async () => {
      const { alice, mona, gus } = at.people

      const heard = await hearing({ gus }, () => mona.whisper([alice, gus], 'Hi'), ofUsers)

      assert.deepEqual(people(heard.gus), [['add', mona.id]])
    })
  },
  limited,
)

everyHost(
  'deactivate-user',
  (at) => {
    alone(at)

    it('takes who knew the guest from channels only from his sight, and shows them again', async () => {
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

      const closed = await hearing({ gus, mona }, () => toggle(bob, 'out'), types)
      const reopened = await hearing({ gus }, () => toggle(bob, 'back'), types)
      const known = await hearing({ gus }, () => toggle(carol, 'out'), ofUsers)
      const knownBack = await hearing({ gus }, () => toggle(carol, 'back'), ofUsers)
      const stranger = await hearing({ gus }, () => toggle(mona, 'out'), ofUsers)

      assert.deepEqual(
        kinds(closed.gus).filter((kind) => kind !== 'user_group/remove_members'),
        ['subscription/peer_remove', 'realm_user/remove'],
      )
      assert.equal(kinds(closed.gus).at(-1), 'realm_user/remove')
      assert.deepEqual(people(closed.gus), [['remove', bob.id]])
      assert.deepEqual(people(closed.mona), [['update', bob.id]])
      assert.deepEqual(
        kinds(reopened.gus).filter((kind) => kind !== 'user_group/add_members'),
        ['realm_user/add', 'subscription/peer_add'],
      )
      assert.deepEqual(people(reopened.gus), [['add', bob.id]])
      assert.deepEqual(people(known.gus), [['update', carol.id]])
      assert.deepEqual(people(knownBack.gus), [['update', carol.id]])
      assert.deepEqual(people(stranger.gus), [])
    })
  },
  limited,
)

everyHost(
  'update-user',
  (at) => {
    alone(at)

    it('tells guests nothing of people out of their sight', async () => {
      const { olga, alice, gus, mona } = at.people
      const types = { event_types: ['realm_user', 'presence', 'user_status', 'typing'] } as const

      const heard = await hearing(
        { gus, mona },
        async () => {
          await succeeds(olga.patch(`/users/${alice.id}`, { full_name: 'Alice Other' }))
          await succeeds(alice.post('/users/me/status', { status_text: 'Away' }))
          await succeeds(alice.post('/users/me/presence', { status: 'active', ping_only: true }))
          await succeeds(alice.post('/typing', { op: 'start', to: [mona.id, gus.id] }))
        },
        types,
      )

      assert.deepEqual(heard.gus, [])
      assert.deepEqual(new Set(heard.mona.map(({ type }) => type)), new Set(types.event_types))
    })
  },
  limited,
)

everyHost(
  'get-user',
  (at) => {
    alone(at)

    it('shows guests more or fewer people as soon as the setting says so', async () => {
      const { olga, alice, gus } = at.people
      const letGuestsSee = async (name: string): Promise<void> => {
        const group = await systemGroupId(olga, name)
        await succeeds(olga.patch('/realm', { can_access_all_users_group: { new: group } }))
      }
      const seen = async (): Promise<unknown[]> => {
        const { members } = (await gus.get('/users')).body as {
          members: { user_id: number; full_name: string }[]
        }
        const listed = members.find(({ user_id }) => user_id === alice.id)?.full_name
        return [(await gus.get(`/users/${alice.id}`)).status, listed]
      }

      const atFirst = await seen()
      await letGuestsSee('role:everyone')
      const open = await seen()
      await letGuestsSee('role:members')
      const closed = await seen()

      const hidden = [400, undefined]
      assert.deepEqual([atFirst, open, closed], [hidden, [200, 'Alice Test'], hidden])
    })
  },
  limited,
)

everyHost('subscribe', (at) => {
  it('tells guests of no users where they know of everyone anyway', async () => {
    const { gus, alice } = at.people
    await makeChannel(at.people.olga, 'unlimited', { subscribers: [alice.id] })

    const heard = await hearing({ gus }, () => subscribe(at, 'unlimited', [gus]), ofUsers)

    assert.deepEqual(heard.gus, [])
  })
})
