import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { makeGroup } from '../support/groups.js'
import { everySeparateHost, type HostCase } from '../support/host.js'
import { statementsOf } from '../support/statements.js'

/** Creates an organization with many human users; returns its first user. */
async function crowd(at: HostCase, firstId: number): Promise<{ chief: Client; ids: number[] }> {
  const subdomain = `crowd-${randomUUID().slice(0, 8)}`
  const ids = Array.from({ length: 60 }, (_, index) => firstId + index)
  const apiKey = randomUUID().replaceAll('-', '')
  await at.host.chat.organizations.load({
    organization: { name: 'Crowd', subdomain },
    users: ids.map((id) => ({
      id,
      email: `user${id}@crowd.example`,
      full_name: `User ${id}`,
      role: id === firstId ? 100 : 400,
      ...(id === firstId ? { api_key: apiKey } : {}),
    })),
  })
  const credentials = { email: `user${firstId}@crowd.example`, apiKey }
  const chief = at.host.client(subdomain, credentials, firstId, 'chief')
  return { chief, ids }
}

/**
 * Counts the statements of one request, without the table in which long recipient lists are stored
 * once.
 */
async function countOf(
  at: HostCase,
  act: () => Promise<{ status: number; text: string }>,
): Promise<number> {
  let answer = { status: 0, text: '' }
  const statements = await statementsOf(at.host, async () => {
    answer = await act()
  })
  assert.equal(answer.status, 200, answer.text)
  return statements.filter(({ sql }) => !sql.includes('event_audiences')).length
}

everySeparateHost('subscribe', (at) => {
  it('uses as many statements to notify fifty users as to notify two', async () => {
    const { chief, ids } = await crowd(at, at.people.alice.id + 10_000)
    const names = ['one', 'two', 'three', 'four', 'five', 'six']
    for (const name of names) await makeChannel(chief, name)
    const join = (names: readonly string[], principals: readonly number[]) =>
      countOf(at, () =>
        chief.post('/users/me/subscriptions', {
          subscriptions: names.map((name) => ({ name })),
          principals,
        }),
      )
    // Fills all caches that are kept between requests.
    await join(['one'], ids.slice(1, 3))

    const few = await join(['two'], ids.slice(3, 5))
    const many = await join(['three', 'four'], ids.slice(5, 55))
    const fewAgain = await join(['five'], ids.slice(1, 3))
    const manyAgain = await join(['six'], ids.slice(5, 55))

    assert.equal(many, few)
    assert.equal(manyAgain, fewAgain)
  })
})

everySeparateHost('update-user-group-members', (at) => {
  it('uses as many statements to notify fifty users as to notify two', async () => {
    const { chief, ids } = await crowd(at, at.people.alice.id + 20_000)
    const group = await makeGroup(chief, 'crew')
    const change = (key: 'add' | 'delete', members: readonly number[]) =>
      countOf(at, () => chief.post(`/user_groups/${group}/members`, { [key]: members }))
    await change('add', ids.slice(1, 3))
    await change('delete', ids.slice(1, 3))

    const few = await change('add', ids.slice(3, 5))
    const many = await change('add', ids.slice(5, 55))
    const fewLeft = await change('delete', ids.slice(3, 5))
    const manyLeft = await change('delete', ids.slice(5, 55))

    assert.equal(many, few)
    assert.equal(manyLeft, fewLeft)
  })
})
