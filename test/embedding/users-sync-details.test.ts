import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'

import type { HostIdentity, SyncedUser } from '@parley/core'

import { EventFeed } from '../support/event-feed.js'
import { everyDatabase } from '../support/host.js'
import { statementsOf } from '../support/statements.js'
import { multipartHeaders, multipartOf, pngOf } from '../support/uploads.js'

const person = (id: string | number, more: Partial<SyncedUser> = {}): SyncedUser => ({
  externalId: id,
  email: `person${id}@product.example`,
  fullName: `Person ${id}`,
  ...more,
})
const nothing = { created: 0, updated: 0, unchanged: 0, deactivated: 0, problems: [] }
const picture = 'https://pictures.example/7.png?size=100'

everyDatabase(
  'what chat.users.sync sets besides names',
  'express',
  (at) => {
    const here = () => ({ organization: at.subdomain })
    const sync = (users: readonly SyncedUser[], more = {}) =>
      at.host.chat.users.sync(users, { ...here(), ...more })
    const idOf = async (id: string): Promise<number> =>
      (await at.host.chat.users.idOf([id], here())).get(id)!
    const avatarOf = async (id: string): Promise<string> => {
      const { body } = await at.people.alice.get(`/users/${await idOf(id)}`)
      return body.user.avatar_url
    }
    const follow = async (path: string) => {
      const url = new URL(path, at.host.origin)
      const headers = { 'x-organization': at.subdomain }
      const response = await fetch(url, { redirect: 'manual', headers })
      await response.arrayBuffer()
      return [response.status, response.headers.get('location')]
    }

    it('pictures are the application’s: clients are redirected to them', async () => {
      const queue = await EventFeed.register(at.people.alice, { event_types: ['realm_user'] })
      assert.equal((await sync([person('pic', { avatarUrl: picture })])).created, 1)

      const first = await avatarOf('pic')
      assert.match(first, /^\/user_avatars\/\d+\/[0-9a-f]{40}\.png\?version=1$/)
      assert.deepEqual(await follow(first), [302, picture])
      assert.deepEqual(await follow(first.replace('.png', '-medium.png')), [302, picture])

      assert.equal((await sync([person('pic', { avatarUrl: picture })])).unchanged, 1)
      assert.equal((await sync([person('pic')])).unchanged, 1, 'left out: stays')
      const moved = await sync([person('pic', { avatarUrl: '/own/7.png' })])
      assert.deepEqual(moved, { ...nothing, updated: 1 })
      const second = await avatarOf('pic')
      assert.deepEqual(await follow(second), [302, '/own/7.png'])
      assert.deepEqual(await follow(first), [404, null], 'no longer an address')

      assert.equal((await sync([person('pic', { avatarUrl: null })])).updated, 1)
      assert.match(await avatarOf('pic'), /^\/user_avatars\/default\//)
      const changes = (await queue.drain()).flatMap(({ person: change }) =>
        'avatar_source' in (change as object) ? [change as Record<string, unknown>] : [],
      )
      assert.deepEqual(
        changes.map(({ avatar_source, avatar_url }) => [avatar_source, avatar_url]),
        [
          ['U', second],
          ['G', await avatarOf('pic')],
        ],
      )
    })

    it('pictures that users upload stay until the application has another one', async () => {
      const headers = { cookie: 'own', origin: at.host.origin }
      await at.nobody.get('/users/me', {}, headers)
      const file = multipartOf([{ name: 'me.png', type: 'image/png', bytes: pngOf(10, 10) }])
      const uploaded = await at.nobody.send('POST', '/users/me/avatar', file, {
        ...multipartHeaders(file),
        ...headers,
      })
      assert.equal(uploaded.status, 200, uploaded.text)
      const user = person('own')

      await sync([{ ...user, avatarUrl: null }])
      assert.equal(await avatarOf('own'), uploaded.body.avatar_url)
      await sync([{ ...user, avatarUrl: picture }])

      assert.deepEqual(await follow(await avatarOf('own')), [302, picture])
      assert.deepEqual(await follow(uploaded.body.avatar_url), [404, null])
    })

    it('pictures have addresses that lead to the application and nowhere else', async () => {
      for (const avatarUrl of [
        'http://pictures.example/7.png',
        '//pictures.example/7.png',
        '/\\pictures.example/7.png',
        'https://user:secret@pictures.example/7.png',
        'javascript:alert(1)',
        'https://pictures.example/a\r\nSet-Cookie: a=b',
        `https://pictures.example/${'x'.repeat(1000)}`,
        '',
      ]) {
        const { problems } = await sync([person('bad', { avatarUrl })])
        assert.match(problems[0]?.message ?? '', /avatarUrl must be an https address or a path/)
      }
      const local = await sync([person('local', { avatarUrl: 'http://localhost:3000/7.png' })])
      assert.equal(local.created, 1)
    })

    const groupOf = async (name: string) => {
      const { body } = await at.people.olga.get('/user_groups', {
        include_deactivated_groups: true,
      })
      const groups = body.user_groups as { id: number; name: string; members: number[] }[]
      return groups.find((group) => group.name === name)
    }

    it('groups of the application have exactly the members of the list', async () => {
      const [eng, ops] = ['eng', 'ops'].map((name) => `${name}-${at.subdomain}`)
      const users = [
        person('g1', { groups: [eng!, ops!] }),
        person('g2', { groups: [eng!, eng!] }),
        person('g3', { groups: [] }),
        person('g4'),
      ]
      const queue = await EventFeed.register(at.people.alice, {
        event_types: ['user_group'],
      })

      assert.deepEqual(await sync(users), { ...nothing, created: 4 })

      const [g1, g2] = [await idOf('g1'), await idOf('g2')]
      assert.deepEqual((await groupOf(eng!))?.members, [g1, g2])
      assert.deepEqual((await groupOf(ops!))?.members, [g1])
      await queue.drain()
      assert.deepEqual(await sync(users), { ...nothing, unchanged: 4 })
      assert.deepEqual(await queue.drain(), [])

      const moved = await sync([
        person('g1', { groups: [ops!] }),
        person('g2'),
        person('g3', { groups: [eng!] }),
      ])
      assert.deepEqual(moved, { ...nothing, updated: 2, unchanged: 1 })
      const id = (await groupOf(eng!))!.id
      const events = (await queue.drain()).map(({ op, group_id, user_ids }) => [
        op,
        group_id,
        user_ids,
      ])
      assert.deepEqual(events, [
        ['remove_members', id, [g1]],
        ['add_members', id, [await idOf('g3')]],
      ])
    })

    it('groups are found by the application’s id, renamed by the list, and no others are touched', async () => {
      const { olga, alice } = at.people
      const made = await olga.post('/user_groups/create', {
        name: 'Made here',
        description: '',
        members: [olga.id, alice.id],
      })
      assert.equal(made.status, 200, made.text)
      const groups = [{ externalId: 42, name: 'Team 42' }]
      const users = [person('t1', { groups: [42] })]
      await sync(users, { groups })
      const id = (await groupOf('Team 42'))!.id
      await olga.post(`/user_groups/${(await groupOf('Made here'))!.id}/members`, {
        add: [await idOf('t1')],
      })

      assert.equal((await sync(users, { groups })).unchanged, 1)
      assert.equal((await sync(users)).unchanged, 1, 'keeps its name')
      await olga.patch(`/user_groups/${id}`, { name: 'By a user' })
      await sync(users, { groups })
      assert.equal((await groupOf('Team 42'))?.id, id)
      await sync([person('t1', { groups: [] })])
      assert.deepEqual((await groupOf('Team 42'))?.members, [])
      assert.equal((await groupOf('Made here'))?.members.length, 3)
      const joins = await alice.post(`/user_groups/${id}/members`, { add: [alice.id] })
      assert.deepEqual([joins.status, joins.body.msg], [400, 'Insufficient permission'])

      const system = await sync([person('t1', { groups: ['role:owners', 42] })])
      assert.deepEqual(system, {
        ...nothing,
        updated: 1,
        problems: [
          { externalId: 't1', message: "groups: User group name cannot start with 'role:'." },
        ],
      })
      const taken = await sync([person('t1', { groups: ['Made here', 42] })])
      assert.deepEqual(taken, {
        ...nothing,
        unchanged: 1,
        problems: [{ externalId: 't1', message: "groups: User group 'Made here' already exists." }],
      })
    })

    it('values of profile fields are set by name or id, and sent to clients', async () => {
      const { olga, alice } = at.people
      const field = async (name: string, field_type: number, more = {}): Promise<number> =>
        (await olga.post('/realm/profile_fields', { name, field_type, ...more })).body.id
      const job = await field('Job', 1)
      const start = await field('Start', 4)
      const boss = await field('Boss', 6)
      const profile = { Job: '*Baker*', [String(start)]: '2026-01-31', Boss: [alice.id] }
      const queue = await EventFeed.register(alice, { event_types: ['realm_user'] })
      assert.equal((await sync([person('p1', { profile })])).created, 1)

      const id = await idOf('p1')
      const stored = async () => {
        const params = { include_custom_profile_fields: true }
        return (await alice.get(`/users/${id}`, params)).body.user.profile_data
      }
      assert.deepEqual(await stored(), {
        [job]: { value: '*Baker*', rendered_value: '<p><em>Baker</em></p>' },
        [start]: { value: '2026-01-31' },
        [boss]: { value: JSON.stringify([alice.id]) },
      })
      const changes = (await queue.drain()).flatMap(({ person: change }) => {
        const { user_id, custom_profile_field } = change as Record<string, unknown>
        return custom_profile_field === undefined ? [] : [[user_id, custom_profile_field]]
      })
      assert.equal(changes.length, 3)
      const value = { id: job, value: '*Baker*', rendered_value: '<p><em>Baker</em></p>' }
      assert.ok(changes.some((change) => isDeepStrictEqual(change, [id, value])))

      assert.deepEqual(await sync([person('p1', { profile })]), { ...nothing, unchanged: 1 })
      assert.deepEqual(await queue.drain(), [])
      const fewer = { Job: 'Cook', Start: null }
      assert.deepEqual(await sync([person('p1', { profile: fewer })]), { ...nothing, updated: 1 })
      assert.deepEqual(Object.keys(await stored()), [String(job), String(boss)])
      assert.equal((await queue.drain()).length, 2)
    })

    it('values of the wrong kind are problems, and everything else is applied', async () => {
      const { olga } = at.people
      await olga.post('/realm/profile_fields', { name: 'Born', field_type: 4 })
      const wrong = { Born: 'soon', Nowhere: 'x' }
      const expected = [
        { externalId: 'w1', message: "profile: not a value of the field 'Born'" },
        { externalId: 'w1', message: "profile: there is no field 'Nowhere'" },
      ]

      const first = await sync([person('w1', { profile: wrong, groups: ['Right'] })])
      assert.deepEqual(first, { ...nothing, created: 1, problems: expected })
      assert.deepEqual((await groupOf('Right'))?.members, [await idOf('w1')])
      const second = await sync([person('w1', { profile: wrong })])
      assert.deepEqual(second, { ...nothing, unchanged: 1, problems: expected })
      const third = await sync([person('w1', { profile: wrong, fullName: 'Other' })])
      assert.deepEqual(third, { ...nothing, updated: 1, problems: expected })

      // The types forbid these, applications in plain JavaScript do not.
      for (const [part, message] of [
        [{ groups: 'eng' }, /groups must be at most 1000 ids/],
        [{ groups: [''] }, /groups must be at most 1000 ids/],
        [{ profile: ['x'] }, /profile must be an object/],
      ] as const) {
        const { problems } = await sync([{ ...person('w2'), ...part } as unknown as SyncedUser])
        assert.match(problems[0]?.message ?? '', message)
      }
      const unnamed = { groups: [{ externalId: 1 }] }
      await assert.rejects(sync([person('w1')], unnamed), {
        name: 'TypeError',
        message: /groups\[0\] must be an object with externalId and name/,
      })
    })

    it('an inactive user keeps groups and values until active again', async () => {
      await sync([person('i1')])
      await sync([person('i1', { isActive: false })])

      const still = await sync([person('i1', { groups: ['Later'] })])
      assert.equal(still.unchanged, 1)
      const queue = await EventFeed.register(at.people.alice, { event_types: ['user_group'] })
      const back = await sync([person('i1', { groups: ['Later'], isActive: true, role: 300 })])

      assert.equal(back.updated, 1)
      const id = await idOf('i1')
      assert.deepEqual((await groupOf('Later'))?.members, [id])
      const left = (await queue.drain()).filter(({ op }) => op === 'remove_members')
      assert.ok(left.length > 0, 'the groups of members, for that of moderators')
      for (const { user_ids } of left) assert.deepEqual(user_ids, [id])
    })

    it('groups and values need no more statements for more users', async () => {
      await at.people.olga.post('/realm/profile_fields', { name: 'Desk', field_type: 1 })
      const list = (from: number, to: number, desk: string) =>
        Array.from({ length: to - from }, (_, index) =>
          person(from + index, { groups: ['Sitting'], profile: { Desk: `${desk} ${index}` } }),
        )
      const count = async (users: readonly SyncedUser[]): Promise<number> =>
        (await statementsOf(at.host, () => sync(users))).length
      await sync(list(100, 110, 'a'))

      const few = await count(list(110, 120, 'a'))
      const many = await count(list(120, 320, 'a'))
      const unchanged = await count([...list(100, 110, 'a'), ...list(120, 320, 'a')])

      assert.ok(many <= few + 5, `${many} statements for 200 users, ${few} for 10`)
      assert.ok(unchanged <= 9, `${unchanged} statements without a change`)
    })

    it('identify sets the picture too', async () => {
      const headers = { cookie: 'session', origin: at.host.origin }
      const { body } = await at.nobody.get('/users/me', {}, headers)
      assert.deepEqual(await follow(body.avatar_url), [302, picture])
      const again = await statementsOf(at.host, () => at.nobody.get('/users/me', {}, headers))
      assert.ok(again.every(({ sql }) => !/^(insert|update|delete)/i.test(sql)))
    })
  },
  {
    identify: ({ headers }): HostIdentity | null =>
      headers.cookie === 'session'
        ? { ...person('session'), avatarUrl: picture }
        : headers.cookie === 'own'
          ? person('own')
          : null,
  },
)
