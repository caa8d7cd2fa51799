import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import type { Answer } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost, type HostCase } from '../support/host.js'
import { plainMember } from '../support/members.js'

const password = 'correct horse battery'
let newcomers = 0

/** Parameters of a valid request, for another user each time. */
function valid(more: Record<string, unknown> = {}): Record<string, unknown> {
  newcomers += 1
  return {
    email: `new${newcomers}@people.example`,
    full_name: `New Person ${newcomers}`,
    password,
    ...more,
  }
}

const refusal = ({ status, body }: Answer): unknown[] => [status, body.code, body.msg]

async function sendsNoEvent(at: HostCase, act: () => Promise<unknown>): Promise<void> {
  const feed = await at.people.alice.listen({ event_types: ['realm_user'] })
  await act()
  assert.deepEqual(await feed.drain(), [])
}

everyHost('create-user', (at) => {
  it('creates a member who can log in, and sends the event to all users', async () => {
    const { olga, alice, gus, bot } = at.people
    const types = { event_types: ['realm_user'] }
    const feeds = [await olga.listen(types), await gus.listen(types), await bot.listen(types)]
    const params = valid({ full_name: '  Nina New ' })

    const { body } = await olga.post('/users', params)

    assert.deepEqual(Object.keys(body).sort(), ['msg', 'result', 'user_id'])
    const { user } = (await alice.get(`/users/${body.user_id}`, { client_gravatar: false })).body
    assert.deepEqual(user, {
      user_id: body.user_id,
      email: params['email'],
      delivery_email: params['email'],
      full_name: 'Nina New',
      date_joined: new Date(at.clock.now()).toISOString().replace('Z', '+00:00'),
      is_active: true,
      ...plainMember,
      avatar_url: user.avatar_url,
    })
    for (const feed of feeds) {
      assert.deepEqual(withoutIds(await feed.drain()), [
        { type: 'realm_user', op: 'add', person: { ...user, profile_data: {} } },
      ])
    }
    const key = await at.nobody.post('/fetch_api_key', { username: params['email'], password })
    assert.equal(key.body.user_id, body.user_id)
  })

  it('sends administrators that the new user has not allowed exports of private data', async () => {
    const { olga, adam, mona, bot } = at.people
    const types = { event_types: ['realm_export_consent'] }
    const administrators = [await olga.listen(types), await adam.listen(types)]
    const others = [await mona.listen(types), await bot.listen(types)]

    const { body } = await olga.post('/users', valid())

    for (const feed of administrators) {
      assert.deepEqual(withoutIds(await feed.drain()), [
        { type: 'realm_export_consent', user_id: body.user_id, consented: false },
      ])
    }
    for (const feed of others) assert.deepEqual(await feed.drain(), [])
  })

  it('returns an error to users who are not administrators with can_create_users', async () => {
    const { adam, mona, alice, gus, bot } = at.people
    for (const client of [mona, alice, gus, bot]) {
      assert.deepEqual(
        refusal(await client.post('/users', {})),
        [400, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'],
        client.name,
      )
    }
    assert.deepEqual(refusal(await adam.post('/users', valid())), [
      400,
      'BAD_REQUEST',
      'User not authorized to create users',
    ])
    assert.equal((await at.nobody.post('/users', valid())).status, 401)
  })

  it('requires all three parameters', async () => {
    const { olga } = at.people
    for (const name of ['email', 'password', 'full_name']) {
      const { body } = await olga.post('/users', valid({ [name]: undefined }))
      assert.deepEqual([body.code, body.var_name], ['REQUEST_VARIABLE_MISSING', name])
    }
  })

  const names = [
    ['x'.repeat(101), 'Name too long!'],
    [' x ', 'Name too short!'],
    ['', 'Name too short!'],
    ['a*b', 'Invalid characters in name!'],
    ['a`b', 'Invalid characters in name!'],
    ['a\\b', 'Invalid characters in name!'],
    ['a>b', 'Invalid characters in name!'],
    ['a"b', 'Invalid characters in name!'],
    ['a@b', 'Invalid characters in name!'],
    ['a\u200Bb', 'Invalid characters in name!'],
    ['a\nb', 'Invalid characters in name!'],
    ['Nina|7', 'Invalid format!'],
  ] as const
  for (const [name, msg] of names) {
    it(`rejects the name ${JSON.stringify(name.slice(0, 20))}: ${msg}`, async () => {
      await sendsNoEvent(at, async () => {
        assert.deepEqual(refusal(await at.people.olga.post('/users', valid({ full_name: name }))), [
          400,
          'BAD_REQUEST',
          msg,
        ])
      })
    })
  }

  it('accepts equal names of two users, and a hundred characters of any plane', async () => {
    const { olga, alice } = at.people
    for (const full_name of ['Alice Test', '𝒜'.repeat(100)]) {
      const { body } = await olga.post('/users', valid({ full_name }))
      assert.equal((await alice.get(`/users/${body.user_id}`)).body.user.full_name, full_name)
    }
  })

  it('rejects invalid addresses', async () => {
    for (const email of [
      'nina',
      'nina@',
      '@x.example',
      'a b@x.example',
      'a..b@x.example',
      'a\u202E@x.example',
      'a@x\u200B.example',
      '',
    ]) {
      const { body } = await at.people.olga.post('/users', valid({ email }))
      assert.equal(body.msg, 'Bad name or username', email)
    }
  })

  it('rejects disposable addresses', async () => {
    const { body } = await at.people.olga.post('/users', valid({ email: 'a@eu.mailinator.com' }))

    assert.equal(body.msg, 'Disposable email addresses are not allowed in this organization')
  })

  it('rejects addresses of existing accounts, active or not, in any case', async () => {
    const { olga, alice, dora, bot } = at.people
    for (const { email } of [alice, dora, bot]) {
      assert.deepEqual(
        refusal(await olga.post('/users', valid({ email: email.toUpperCase() }))),
        [400, 'BAD_REQUEST', 'Email is already in use.'],
        email,
      )
    }
  })

  it('accepts an address that an account of another organization has', async () => {
    const elsewhere = await at.host.organization()
    const { email } = elsewhere.people.alice

    const here = await at.people.olga.post('/users', valid({ email, password }))

    assert.equal(here.status, 200)
    const key = await at.nobody.post('/fetch_api_key', { username: email, password })
    assert.equal(key.body.user_id, here.body.user_id)
    assert.equal((await elsewhere.people.alice.get('/users/me')).body.email, email)
  })

  it('creates one account for two concurrent requests', async () => {
    const params = valid()

    const answers = await Promise.all([
      at.people.olga.post('/users', params),
      at.people.olga.post('/users', params),
    ])

    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
    assert.ok(answers.some(({ body }) => body.msg === 'Email is already in use.'))
  })

  it('rejects passwords that are short or easily guessed', async () => {
    const own = { email: 'wilhelmina.zschocke@people.example', full_name: 'Wilhelmina Zschocke' }
    const weakOnes = [
      'x7!kq',
      'qwzx77',
      'password',
      'Summer2024',
      'qwertyuiop',
      'aaaaaaaaaaaa',
      '',
      'x'.repeat(101),
    ]
    for (const weak of [...weakOnes, 'wilhelmina.zschocke', 'Zschocke', own.email]) {
      const { body } = await at.people.olga.post('/users', valid({ ...own, password: weak }))
      assert.equal(body.msg, 'The password is too weak.', weak)
    }
  })
})

everyHost(
  'create-user',
  (at) => {
    before(async () => {
      for (const domain of ['people.example', 'mailinator.com']) {
        await at.people.olga.post('/realm/domains', { domain, allow_subdomains: false })
      }
    })

    it('rejects addresses with a + if domains are restricted', async () => {
      const { body } = await at.people.olga.post('/users', valid({ email: 'a+b@people.example' }))

      assert.equal(body.msg, 'Email addresses containing + are not allowed.')
    })

    it('requires a name that no user, bot or deactivated user has, if names must be unique', async () => {
      for (const full_name of ['ALICE test', 'Dora Test', 'Bot Test', 'Ａlice Test']) {
        const { body } = await at.people.olga.post('/users', valid({ full_name }))
        assert.equal(body.msg, 'Unique names required in this organization.', full_name)
      }
      assert.equal((await at.people.olga.post('/users', valid())).status, 200)
    })

    it('accepts a disposable address if the organization allows them', async () => {
      const answer = await at.people.olga.post('/users', valid({ email: 'a@mailinator.com' }))

      assert.equal(answer.status, 200)
    })
  },
  {
    settings: {
      emails_restricted_to_domains: true,
      require_unique_names: true,
      disallow_disposable_email_addresses: false,
    },
  },
)

everyHost(
  'create-user',
  (at) => {
    it('sends guests without access to all users only a placeholder of the new user', async () => {
      const { olga, alice, gus } = at.people
      const types = { event_types: ['realm_user'] }
      const [aliceFeed, gusFeed] = [await alice.listen(types), await gus.listen(types)]
      const modern = await gus.listen({
        ...types,
        client_capabilities: { notification_settings_null: true, user_list_incomplete: true },
      })

      const { body } = await olga.post('/users', valid({ full_name: 'Nina New' }))

      const [known] = await aliceFeed.drain()
      assert.equal(known?.['person'].full_name, 'Nina New')
      const unknown = withoutIds(await gusFeed.drain()) as { person: Record<string, unknown> }[]
      const answer = await gus.get(`/users/${body.user_id}`)
      assert.deepEqual(refusal(answer), [400, 'BAD_REQUEST', 'Insufficient permission'])
      assert.deepEqual(unknown, [
        {
          type: 'realm_user',
          op: 'add',
          person: {
            user_id: body.user_id,
            email: `user${body.user_id}@users.invalid`,
            delivery_email: null,
            full_name: 'Unknown user',
            date_joined: '1970-01-01T00:00:00.000+00:00',
            is_active: true,
            ...plainMember,
            avatar_url: unknown[0]?.person['avatar_url'],
            profile_data: {},
          },
        },
      ])
      assert.deepEqual(await modern.drain(), [])
    })
  },
  {
    settings: { can_access_all_users_group: 'role:members' },
    more: ({ people, base }) => ({
      channels: [
        { id: base, name: 'lobby', subscribers: [people.gus, people.alice] },
        { id: base + 1, name: 'else', subscribers: [people.bob] },
      ],
    }),
  },
)
