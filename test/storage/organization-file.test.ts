import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyDatabase } from '../support/host.js'
import { owner, problemsOf } from '../support/organization-file.js'

everyDatabase('the organization file', 'koa', (at) => {
  it('is checked with yields to the event loop, and keeps all of its errors', async () => {
    const messages = Array.from({ length: 50_000 }, (_, index) => ({
      sender_id: index % 2 === 0 ? 9001 : 7,
      to: [9001],
      content: 'x',
    }))
    const file = {
      organization: { name: 'Long', subdomain: 'long' },
      users: [owner],
      messages: [...messages, { sender_id: 9001, to: [9001] }],
    }
    // The first check compiles schemas, which would yield as well.
    await problemsOf(at.host, {})
    let ticks = 0
    let isChecking = true
    const count = (): void => {
      ticks += 1
      if (isChecking) setImmediate(count)
    }
    setImmediate(count)

    const problems = await problemsOf(at.host, file)
    isChecking = false

    assert.ok(ticks > 2, `the event loop ran ${ticks} times`)
    assert.equal(problems.length, 25_001)
    assert.deepEqual(problems.slice(0, 2), [
      "/messages/50000: must have required property 'content'",
      '/messages/1/sender_id: user 7 is not in the file',
    ])
  })

  it('creates everything it contains, with the given ids', async () => {
    const cleo = { id: 9012, email: 'cleo@files.example', full_name: 'Cleo Sow' }
    const loaded = await at.host.chat.organizations.load({
      organization: {
        name: 'Whole',
        subdomain: 'whole',
        settings: { topics_policy: 'disable_empty_topic' },
      },
      users: [
        { ...owner, id: 9011, password: 'correct horse own', api_key: 'o'.repeat(32) },
        { ...cleo, api_key: 'c'.repeat(32), settings: { color_scheme: 2 } },
      ],
      bots: [{ id: 9013, email: 'b@files.example', full_name: 'Bot', owner_id: 9012 }],
      groups: [{ id: 9020, name: 'crew', members: [9012] }],
      channels: [{ id: 9030, name: 'deck', privacy: 'private', subscribers: [9011, 9012] }],
      messages: [
        {
          id: 9040,
          sender_id: 9011,
          channel_id: 9030,
          topic: 'sails',
          content: '*Up*!',
          sent_at_seconds: 1_700_000_000,
        },
        { id: 9041, sender_id: 9012, to: [9011], content: 'Aye', read_by: [9011] },
      ],
    })
    const client = at.host.client(
      'whole',
      { email: cleo.email, apiKey: 'c'.repeat(32) },
      cleo.id,
      'cleo',
    )

    const { body } = await client.get('/messages', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 9,
    })
    const registered = await client.post('/register', {
      fetch_event_types: ['user_settings', 'realm_user_groups', 'realm'],
    })

    assert.equal(loaded.created, true)
    assert.deepEqual(
      body.messages.map((message: Record<string, unknown>) => [
        message['id'],
        message['content'],
        message['flags'],
      ]),
      [
        [9040, '<p><em>Up</em>!</p>', []],
        [9041, '<p>Aye</p>', ['read']],
      ],
    )
    assert.equal(body.messages[0]!.timestamp, 1_700_000_000)
    assert.equal(registered.body.user_settings.color_scheme, 2)
    assert.equal(registered.body.realm_topics_policy, 'disable_empty_topic')
    const crew = registered.body.realm_user_groups.find(
      (group: { id: number }) => group.id === 9020,
    )
    assert.deepEqual([crew!.name, crew!.members], ['crew', [9012]])
    const login = await client.post('/fetch_api_key', {
      username: owner.email,
      password: 'correct horse own',
    })
    assert.equal(login.body.api_key, 'o'.repeat(32))
  })

  it('disables read receipts by default in organizations that anyone may join', async () => {
    const load = async (subdomain: string, id: number, settings: object): Promise<unknown> => {
      const api_key = subdomain.replaceAll('-', '').padEnd(32, 'k')
      await at.host.chat.organizations.load({
        organization: { name: 'Open', subdomain, settings },
        users: [{ ...owner, id, api_key }],
      })
      const client = at.host.client(subdomain, { email: owner.email, apiKey: api_key }, id, 'own')
      const { snapshot } = await client.listen({ fetch_event_types: ['realm'] })
      return snapshot['realm_enable_read_receipts']
    }
    const open = { invite_required: false }

    assert.equal(await load('receipts-usual', 9071, {}), true)
    assert.equal(await load('receipts-open', 9072, open), false)
    assert.equal(await load('receipts-asked', 9073, { ...open, enable_read_receipts: true }), true)
  })

  it('changes nothing if its subdomain is taken', async () => {
    const file = {
      organization: { name: 'Twice', subdomain: 'twice' },
      users: [{ ...owner, id: 9051 }],
    }
    const first = await at.host.chat.organizations.load(file)

    const second = await at.host.chat.organizations.load({
      ...file,
      users: [{ ...owner, id: 9052 }],
    })

    assert.deepEqual(second, { organizationId: first.organizationId, created: false })
  })

  it('leaves nothing behind if the database rejects a part of it', async () => {
    const file = (subdomain: string, channelId: number) => ({
      organization: { name: 'Clash', subdomain },
      users: [{ ...owner, id: channelId }],
      channels: [{ id: 9099, name: 'same id' }],
    })
    await at.host.chat.organizations.load(file('clash-one', 9061))

    assert.deepEqual(await problemsOf(at.host, file('clash-two', 9062)), [
      "/channels/0/id: 9099 is another organization's",
    ])

    const retried = await at.host.chat.organizations.load({
      ...file('clash-two', 9062),
      channels: [],
    })
    assert.equal(retried.created, true)
  })
})
