import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { OrganizationFileError } from '@parley/core'

import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'

const owner = { id: 9001, email: 'own@files.example', full_name: 'Owner', role: 100 }

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`the organization file (${database.name})`, () => {
    const host = new TestHost('koa', database)
    before(() => host.start())
    after(() => host.stop())

    const problemsOf = async (file: unknown): Promise<readonly string[]> => {
      const error = await host.chat.organizations.load(file).then(
        () => assert.fail('the file was accepted'),
        (reason: unknown) => reason,
      )
      assert.ok(error instanceof OrganizationFileError)
      return error.problems
    }

    it('is refused as a whole, with every mistake of its shape', async () => {
      const problems = await problemsOf({
        organization: { subdomain: 'shape' },
        users: [{ id: 'one', email: 'a@b.example', full_name: 'A B', role: 150 }],
        surprise: true,
      })

      const text = problems.join('\n')
      assert.match(text, /\/organization must have required property 'name'/)
      assert.match(text, /\/users\/0\/id must be integer/)
      assert.match(text, /\/users\/0\/role must be equal to constant/)
      assert.match(text, /must NOT have additional properties/)
    })

    it('is refused with every name that leads nowhere, is used twice, or is no setting', async () => {
      const problems = await problemsOf({
        organization: {
          name: 'Wrong',
          subdomain: 'wrong',
          settings: { waiting_period_threshold: 'long', can_create_groups: 'people', extra: 1 },
        },
        users: [owner, { ...owner, settings: { color_scheme: 9, nothing: true } }],
        bots: [{ id: 9002, email: 'bot@files.example', full_name: 'Bot', owner_id: 1 }],
        groups: [{ id: 5, name: 'g', members: [2], subgroups: ['role:all'] }],
        channels: [{ id: 5, name: 'c', subscribers: [3] }],
        messages: [
          { sender_id: 9001, content: 'nowhere' },
          { sender_id: 9001, channel_id: 6, topic: 't', content: 'x' },
        ],
      })

      assert.deepEqual(problems, [
        'user id 9001 is used twice',
        'email own@files.example is used twice',
        '/bots 9002: owner 1 is not in the file',
        '/groups 5: member 2 is not in the file',
        '/groups 5: subgroup role:all is not in the file',
        '/channels 5: subscriber 3 is not in the file',
        '/messages/0: needs either channel_id or to',
        '/messages/1: channel 6 is not in the file',
        '/organization/settings: waiting_period_threshold must be a number',
        '/organization/settings: can_create_groups must be the name of a system group',
        '/organization/settings: extra is not a setting',
        '/users 9001: color_scheme must be one of 1, 2, 3',
        '/users 9001: nothing is not a setting',
      ])
    })

    it('makes everything it names, with the ids it gives', async () => {
      const cleo = { id: 9012, email: 'cleo@files.example', full_name: 'Cleo Sow' }
      const loaded = await host.chat.organizations.load({
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
      const client = host.client(
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
      assert.equal(body.messages[0].timestamp, 1_700_000_000)
      assert.equal(registered.body.user_settings.color_scheme, 2)
      assert.equal(registered.body.realm_topics_policy, 'disable_empty_topic')
      const crew = registered.body.realm_user_groups.find(
        (group: { id: number }) => group.id === 9020,
      )
      assert.deepEqual([crew.name, crew.members], ['crew', [9012]])
      const login = await client.post('/fetch_api_key', {
        username: owner.email,
        password: 'correct horse own',
      })
      assert.equal(login.body.api_key, 'o'.repeat(32))
    })

    it('changes nothing where its subdomain is taken', async () => {
      const file = {
        organization: { name: 'Twice', subdomain: 'twice' },
        users: [{ ...owner, id: 9051 }],
      }
      const first = await host.chat.organizations.load(file)

      const second = await host.chat.organizations.load({
        ...file,
        users: [{ ...owner, id: 9052 }],
      })

      assert.deepEqual(second, { organizationId: first.organizationId, created: false })
    })

    it('leaves nothing behind when the database refuses a part of it', async () => {
      const file = (subdomain: string, channelId: number) => ({
        organization: { name: 'Clash', subdomain },
        users: [{ ...owner, id: channelId }],
        channels: [{ id: 9099, name: 'same id' }],
      })
      await host.chat.organizations.load(file('clash-one', 9061))

      await assert.rejects(host.chat.organizations.load(file('clash-two', 9062)))

      const retried = await host.chat.organizations.load({
        ...file('clash-two', 9062),
        channels: [],
      })
      assert.equal(retried.created, true)
    })
  })
}
