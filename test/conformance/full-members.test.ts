import assert from 'node:assert/strict'
import { it } from 'node:test'

import { createChatServer } from '@parley/core'

import type { Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { FakeClock } from '../support/fake-clock.js'
import { findGroup, systemGroupId } from '../support/groups.js'
import { everyHost, type HostCase } from '../support/host.js'

const daySeconds = 86_400
const roundSeconds = 3600

/** Advances the time, and then runs only the round that looks for new full members. */
async function pass(clock: FakeClock, seconds: number): Promise<void> {
  clock.jump(seconds)
  const isOver = clock.next('set', roundSeconds)
  clock.fire(roundSeconds)
  await isOver
}

/** Creates an account, whose waiting period begins. @returns its id. */
async function createUser(at: HostCase, name: string): Promise<number> {
  const { body } = await at.people.olga.post('/users', {
    email: `${name}@comer.example`,
    full_name: `New ${name}`,
    password: 'a rather long staple 12',
  })
  return body.user_id
}

const promoted = async (client: Client, ...user_ids: number[]) => ({
  type: 'user_group',
  op: 'add_members',
  group_id: await systemGroupId(client, 'role:fullmembers'),
  user_ids,
})

const types = { event_types: ['user_group', 'stream'] }

everyHost(
  'get-user-groups',
  (at) => {
    it("sends one event to all users when a member's waiting period ends", async () => {
      const { gus, bob } = at.people
      const id = await createUser(at, 'patient')
      at.clock.advance(3 * daySeconds - 300)
      const feed = await gus.listen(types)
      await pass(at.clock, 0)
      const early = await feed.drain()

      await pass(at.clock, 300)

      assert.deepEqual(early, [])
      assert.deepEqual(withoutIds(await feed.drain()), [await promoted(bob, at.people.bot.id, id)])
      assert.ok((await findGroup(bob, 'role:fullmembers')).members.includes(id))
      await pass(at.clock, 1)
      assert.deepEqual(await feed.drain(), [])
    })

    it('ignores guests and deactivated users', async () => {
      const { gus, adam, bob } = at.people
      const [guest, gone, stays] = [
        await createUser(at, 'guest'),
        await createUser(at, 'gone'),
        await createUser(at, 'stays'),
      ]
      await adam.patch(`/users/${guest}`, { role: 600 })
      await adam.delete(`/users/${gone}`)
      at.clock.advance(3 * daySeconds - 300)
      await pass(at.clock, 0)
      const feed = await gus.listen(types)

      await pass(at.clock, 300)

      assert.deepEqual(withoutIds(await feed.drain()), [await promoted(bob, stays)])
    })

    it('sends new full members the private channels that full members can see', async () => {
      const { alice, gus, bob } = at.people
      const group = await systemGroupId(bob, 'role:fullmembers')
      await alice.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'elders' }],
        invite_only: true,
        can_subscribe_group: group,
      })
      const id = await createUser(at, 'elder')
      const { body } = await at.people.olga.post('/users', {
        email: 'other@comer.example',
        full_name: 'Other',
        password: 'a rather long staple 12',
      })
      const password = { username: 'other@comer.example', password: 'a rather long staple 12' }
      const { api_key } = (await at.nobody.post('/fetch_api_key', password)).body
      const other = at.host.client(
        at.subdomain,
        { email: 'other@comer.example', apiKey: api_key },
        body.user_id,
        'other',
      )
      at.clock.advance(3 * daySeconds - 300)
      await pass(at.clock, 0)
      const [feed, guestFeed, bobFeed] = [
        await other.listen(types),
        await gus.listen(types),
        await bob.listen(types),
      ]

      await pass(at.clock, 300)

      const [first, second, ...more] = await feed.drain()
      const group_event = await promoted(bob, id, other.id)
      assert.deepEqual(first, { ...group_event, id: first?.id })
      assert.deepEqual(
        [second?.['op'], second?.['streams'][0].name, more],
        ['create', 'elders', []],
      )
      assert.deepEqual(withoutIds(await guestFeed.drain()), [group_event])
      assert.deepEqual(withoutIds(await bobFeed.drain()), [group_event])
    })

    it('catches up after a restart on waiting periods that ended in the meantime', async () => {
      const { gus, bob } = at.people
      const ids = [await createUser(at, 'early')]
      at.clock.advance(daySeconds)
      ids.push(await createUser(at, 'late'))
      const feed = await gus.listen(types)
      const clock = new FakeClock(at.clock.now() + 2 * daySeconds * 1000)
      const next = createChatServer({ database: at.host.databaseConfig, clock, rateLimits: 'off' })
      await next.start()

      await pass(clock, 0)
      await pass(clock, daySeconds)
      await pass(clock, 0)

      await next.close()
      const events = [await promoted(bob, ids[0] as number), await promoted(bob, ids[1] as number)]
      assert.deepEqual(withoutIds(await feed.drain()), events)
      at.clock.jump(4 * daySeconds)
    })
  },
  { settings: { waiting_period_threshold: 3 } },
)

everyHost('update-realm', (at) => {
  it('uses the new waiting period once it has changed', async () => {
    const { gus, olga, bob } = at.people
    const id = await createUser(at, 'counted')
    at.clock.advance(3 * daySeconds)
    const waiting = [at.people.bot.id, id]
    await olga.patch('/realm', { waiting_period_threshold: 5 })
    at.clock.advance(2 * daySeconds - 300)
    const feed = await gus.listen(types)

    await pass(at.clock, 300)

    assert.deepEqual(withoutIds(await feed.drain()), [await promoted(bob, ...waiting)])
  })

  it('sends private channels to users who become full members, and deletions to those who no longer are', async () => {
    const { alice, bob, bot, olga } = at.people
    await olga.patch('/realm', { waiting_period_threshold: 0 })
    await alice.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'sages' }],
      invite_only: true,
      can_subscribe_group: await systemGroupId(bob, 'role:fullmembers'),
    })
    const feeds = [await bot.listen(types), await bob.listen(types)]
    const receivedKinds = async () =>
      Promise.all(
        feeds.map(async (feed) => (await feed.drain()).map(({ type, op }) => `${type}/${op}`)),
      )

    await olga.patch('/realm', { waiting_period_threshold: 700 })
    const hidden = await receivedKinds()
    await olga.patch('/realm', { waiting_period_threshold: 0 })

    const [entered, left] = ['user_group/add_members', 'user_group/remove_members']
    assert.deepEqual(hidden, [[left, 'stream/delete'], [left]])
    assert.deepEqual(await receivedKinds(), [[entered, 'stream/create'], [entered]])
  })
})
