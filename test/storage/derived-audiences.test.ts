import assert from 'node:assert/strict'
import { it } from 'node:test'

import fc from 'fast-check'
import knexPackage, { type Knex } from 'knex'

import type { Answer } from '../support/client.js'
import { everyDatabase, type HostCase } from '../support/host.js'

/** So many that the list of their ids is derived from the one before, not built again. */
const crowd = 2600
const steps = 60

const upkeepSeconds = 60
/** After this, lists that nothing uses are deleted. */
const keptSeconds = 9 * 24 * 60 * 60

interface StoredList {
  readonly id: number
  readonly base_id: number | null
  readonly user_ids: string
  readonly removed_user_ids: string | null
}

interface Lists {
  readonly everyone: string | undefined
  readonly members: string | undefined
  readonly general: string | undefined
}

/** The users of a stored list, ascending. */
async function membersOf(knex: Knex, audienceId: number): Promise<number[]> {
  const row = (await knex('chat_event_audiences').where({ id: audienceId }).first()) as StoredList
  const removed = new Set(idsIn(row.removed_user_ids ?? ''))
  const base = row.base_id === null ? [] : await membersOf(knex, row.base_id)
  return [...base.filter((id) => !removed.has(id)), ...idsIn(row.user_ids)].sort((a, b) => a - b)
}

function idsIn(text: string): number[] {
  return text === '' ? [] : text.split(',').map(Number)
}

async function storedLists(at: HostCase): Promise<readonly StoredList[]> {
  const knex = knexPackage(at.host.databaseConfig)
  try {
    return await knex('chat_event_audiences').orderBy('id')
  } finally {
    await knex.destroy()
  }
}

/** The lists as they are stored, and as the rows say; undefined if a list is not stored. */
async function listsOf(at: HostCase): Promise<{ stored: Lists; expected: Lists }> {
  const knex = knexPackage(at.host.databaseConfig)
  const textOf = async (audienceId: unknown): Promise<string | undefined> => {
    if (audienceId === null) return undefined
    return (await membersOf(knex, Number(audienceId))).join(',')
  }
  const idsOf = async (query: Knex.QueryBuilder, column: string): Promise<string> => {
    const rows = (await query.orderBy(column).select(column)) as Record<string, number>[]
    return rows.map((row) => row[column]).join(',')
  }
  try {
    const { organization_id } = await knex('chat_users').where({ id: at.people.olga.id }).first()
    const organization = await knex('chat_organizations').where({ id: organization_id }).first()
    const channel = await knex('chat_channels').where({ id: at.channels.general }).first()
    const active = () => knex('chat_users').where({ organization_id, is_active: true })
    const stored = {
      everyone: await textOf(organization.active_audience_id),
      members: await textOf(organization.member_audience_id),
      general: await textOf(channel.audience_id),
    }
    const expected = {
      everyone: await idsOf(active(), 'id'),
      members: await idsOf(active().whereNot({ role: 600 }), 'id'),
      general: await idsOf(
        knex('chat_subscriptions').where({
          channel_id: at.channels.general,
          is_active: true,
          is_user_active: true,
        }),
        'user_id',
      ),
    }
    return { stored, expected }
  } finally {
    await knex.destroy()
  }
}

/** The active users with a role, ascending. */
async function idsWithRole(at: HostCase, role: number): Promise<string> {
  const knex = knexPackage(at.host.databaseConfig)
  try {
    const { organization_id } = await knex('chat_users').where({ id: at.people.olga.id }).first()
    const rows = await knex('chat_users')
      .where({ organization_id, is_active: true, role })
      .orderBy('id')
      .select('id')
    return rows.map(({ id }: { id: number }) => id).join(',')
  } finally {
    await knex.destroy()
  }
}

everyDatabase('lists of thousands of recipients', 'koa', (at) => {
  it('are, after each change, those of the rows', async () => {
    const { people, channels, subdomain } = at
    const { olga, alice } = people
    await at.host.chat.users.sync(
      Array.from({ length: crowd }, (_, index) => ({
        externalId: `crowd-${index}`,
        email: `crowd${index}@crowd.example`,
        fullName: `Crowd ${index}`,
      })),
      { organization: subdomain },
    )
    await alice.say(channels.general, 'topic', 'stores the list of receivers')
    const { members } = (await olga.get('/users')).body
    const ids = (members as { user_id: number }[])
      .map(({ user_id }) => user_id)
      .filter((id) => id !== olga.id && id !== alice.id)
      .slice(0, 12)
    const subscriptions = (id: number) => ({
      subscriptions: [{ name: 'general' }],
      principals: [id],
    })
    const changes: readonly ((id: number, value: number) => Promise<Answer>)[] = [
      (id) => olga.post('/users/me/subscriptions', subscriptions(id)),
      (id) =>
        olga.delete('/users/me/subscriptions', { subscriptions: ['general'], principals: [id] }),
      (id) => olga.delete(`/users/${id}`),
      (id) => olga.post(`/users/${id}/reactivate`),
      (id, value) => olga.patch(`/users/${id}`, { role: [300, 400, 600][value % 3] ?? 400 }),
      (_, value) =>
        olga.post('/users', {
          email: `new${value}@crowd.example`,
          password: 'correct horse new',
          full_name: `New ${value}`,
        }),
      () =>
        alice.post('/messages', {
          type: 'channel',
          to: channels.general,
          topic: 'topic',
          content: 'stores the list, if it is not',
        }),
    ]
    const history = fc.sample(
      fc.tuple(fc.nat(changes.length - 1), fc.nat(ids.length - 1), fc.nat(1000)),
      { numRuns: steps, seed: 5 },
    )
    // What a registration tells is kept for the next one.
    const registered = async (): Promise<{
      subscribers: unknown
      members: unknown
      moderators: unknown
      guests: unknown
    }> => {
      const { body } = await olga.post('/register', {
        fetch_event_types: ['stream', 'realm_user_groups'],
      })
      const groups = new Map(
        (body.realm_user_groups as { name: string; members: number[] }[]).map((group) => [
          group.name,
          group.members.join(','),
        ]),
      )
      return {
        subscribers: (body.streams as { stream_id: number; subscriber_count: number }[]).find(
          ({ stream_id }) => stream_id === channels.general,
        )?.subscriber_count,
        members: groups.get('role:members'),
        moderators: groups.get('role:moderators'),
        guests: groups.get('role:everyone'),
      }
    }
    let compared = 0
    for (const [which, index, value] of history) {
      const answer = await changes[which]?.(ids[index] ?? 0, value)
      assert.ok(answer !== undefined && answer.status < 500, answer?.text)
      const { stored, expected } = await listsOf(at)
      for (const name of ['everyone', 'members', 'general'] as const) {
        if (stored[name] === undefined) continue
        compared += 1
        assert.equal(stored[name], expected[name], `${name} after change ${which}`)
      }
      const told = await registered()
      const subscribers = idsIn(expected.general ?? '').length
      assert.equal(told.subscribers, subscribers, `the number after change ${which}`)
      assert.equal(told.members, await idsWithRole(at, 400), `the members after change ${which}`)
      assert.equal(told.moderators, await idsWithRole(at, 300), `moderators after change ${which}`)
      assert.equal(told.guests, await idsWithRole(at, 600), `the guests after change ${which}`)
    }
    assert.equal(compared, 3 * steps)
  })

  it('are stored as differences from whole lists', async () => {
    const lists = await storedLists(at)
    const differences = lists.filter(({ base_id }) => base_id !== null)
    assert.ok(differences.length > steps, String(differences.length))
    for (const { user_ids, removed_user_ids } of differences) {
      assert.ok(user_ids.length + (removed_user_ids?.length ?? 0) < 2000)
    }
    const long = lists.filter(({ user_ids }) => user_ids.length > 10_000)
    assert.ok(long.length < 10, String(long.length))
  })

  it('are stored whole again once they differ much', async () => {
    const { olga } = at.people
    const knex = knexPackage(at.host.databaseConfig)
    try {
      const audienceOf = async (): Promise<number> => {
        const channel = await knex('chat_channels').where({ id: at.channels.general }).first()
        return channel.audience_id as number
      }
      const before = await audienceOf()
      const principals = (await membersOf(knex, before))
        .filter((id) => id !== olga.id && id !== at.people.alice.id)
        .slice(0, 320)
      for (const some of [principals.slice(0, 160), principals.slice(160)]) {
        const answer = await olga.delete('/users/me/subscriptions', {
          subscriptions: ['general'],
          principals: some,
        })
        assert.equal(answer.status, 200, answer.text)
      }
      const after = await audienceOf()
      assert.equal(
        (await membersOf(knex, after)).length,
        (await membersOf(knex, before)).length - 320,
      )
      const row = (await knex('chat_event_audiences').where({ id: after }).first()) as StoredList
      assert.equal(row.base_id, null)
    } finally {
      await knex.destroy()
    }
  })

  it('are deleted when nothing uses them, but not while others refer to them', async () => {
    const { people, channels, clock } = at
    const user = { email: 'last@crowd.example', password: 'correct horse last', full_name: 'Last' }
    assert.equal((await people.olga.post('/users', user)).status, 200)
    const before = await storedLists(at)

    clock.jump(keptSeconds)
    // The first round deletes the entries of the log, and then the lists that only they used.
    const ended = clock.next('set', upkeepSeconds)
    clock.fire(upkeepSeconds)
    await ended

    const after = await storedLists(at)
    assert.ok(after.length < before.length / 2, `${after.length} of ${before.length}`)
    const kept = new Set(after.map(({ id }) => id))
    assert.ok(after.some(({ base_id }) => base_id !== null))
    for (const { base_id } of after) assert.ok(base_id === null || kept.has(base_id))
    const { stored, expected } = await listsOf(at)
    assert.deepEqual(stored, expected)
    await people.alice.say(channels.general, 'topic', 'reaches everybody')
  })
})
