import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Client } from '../support/client.js'
import { databaseColumns } from '../support/databases.js'
import { german } from '../../packages/core/src/languages/de.js'
import { TestHost } from '../support/host.js'
import { bots } from '../support/notification-messages.js'

const password = 'correct horse battery staple'
const owner = { email: 'olive@new.example', fullName: 'Olive Owner', password }

/** The owner of a new organization, logged in. */
async function loggedIn(host: TestHost, subdomain: string): Promise<Client> {
  const nobody = host.client(subdomain, undefined, 0, 'nobody')
  const { body } = await nobody.post('/fetch_api_key', { username: owner.email, password })
  const credentials = { email: owner.email, apiKey: body.api_key }
  return host.client(subdomain, credentials, body.user_id, 'olive')
}

for (const column of databaseColumns()) {
  describe(`creating an organization (${column.name})`, () => {
    const host = new TestHost('express', column, { texts: { languages: [german] } })
    const started = host.start()
    after(() => host.stop())
    const open = async (subdomain: string, more: object = {}) => {
      await started
      return host.chat.organizations.create({ subdomain, name: 'Garden', owner, ...more })
    }

    it('creates its owner, default channels, and a welcome message', async () => {
      const { ownerId } = await open('garden')

      const olive = await loggedIn(host, 'garden')
      const { body } = await olive.post('/register', {
        event_types: ['message', 'update_message_flags'],
      })
      const snapshot = (await olive.post('/register')).body
      assert.deepEqual([olive.id, snapshot.user_id, snapshot.is_owner], [ownerId, ownerId, true])
      assert.equal(snapshot.realm_name, 'Garden')
      assert.equal(snapshot.realm_users.length, 1)
      assert.deepEqual(
        snapshot.subscriptions.map((channel: Record<string, unknown>) => [
          channel['name'],
          channel['description'],
          channel['creator_id'],
          channel['invite_only'],
          channel['history_public_to_subscribers'],
        ]),
        [
          ['Parley', 'Questions and discussion about using Parley.', null, false, true],
          ['general', 'For team-wide conversations', null, false, true],
          ['sandbox', 'Experiment with Parley here. :test_tube:', null, false, true],
        ],
      )
      const general = snapshot.subscriptions[1]!.stream_id
      assert.deepEqual(
        [
          snapshot.realm_new_stream_announcements_stream_id,
          snapshot.realm_zulip_update_announcements_stream_id,
          snapshot.realm_signup_announcements_stream_id,
          [...snapshot.realm_default_streams].length,
        ],
        [general, general, -1, 3],
      )
      assert.ok(body.unread_msgs.count > 0)
      const read = await olive.get('/messages', {
        anchor: 'newest',
        num_before: 50,
        num_after: 0,
        apply_markdown: false,
      })
      const places = read.body.messages.map((message: Record<string, unknown>) => [
        message['sender_id'],
        message['type'] === 'private' ? 'direct' : message['display_recipient'],
        message['flags'],
      ])
      assert.deepEqual(places, [
        [bots.welcome, 'Parley', []],
        [bots.welcome, 'Parley', []],
        [bots.welcome, 'Parley', []],
        [bots.welcome, 'sandbox', []],
        [bots.welcome, 'sandbox', []],
        [bots.welcome, 'general', []],
        [bots.welcome, 'direct', ['starred']],
      ])
    })

    it('writes its first channels and messages in its language', async () => {
      await open('garten', { language: 'de' })
      const olive = await loggedIn(host, 'garten')

      const snapshot = (await olive.post('/register')).body
      const { messages } = (
        await olive.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0 })
      ).body

      const names = snapshot.subscriptions.map(({ name }) => name)
      assert.deepEqual(names, ['Allgemein', 'Parley', 'Spielwiese'])
      assert.equal(
        snapshot.realm_new_stream_announcements_stream_id,
        snapshot.subscriptions[0]!.stream_id,
      )
      const { description, rendered_description } = snapshot.subscriptions[2]!
      assert.equal(description, 'Hier können Sie Parley ausprobieren. :test_tube:')
      assert.match(rendered_description, /^<p>Hier können Sie Parley ausprobieren\. <span/)
      assert.deepEqual(
        messages.map(({ subject }) => subject),
        [
          'Nachrichten verschieben',
          'Themen verschieben',
          'Willkommen bei Parley!',
          'Ein Gespräch beginnen',
          'Versuche',
          'Begrüßung',
          '',
        ],
      )
      assert.match(messages[6]!.content, /^<p>Hallo und willkommen bei <strong>Garden/)
      assert.equal(snapshot.realm_default_language, 'de')
    })

    it('refuses an unknown language', async () => {
      await assert.rejects(open('unknown', { language: 'xx' }), {
        code: 'BAD_REQUEST',
        message: 'Invalid default_language',
      })
      assert.equal(await host.chat.organizations.find('unknown'), undefined)
    })

    it('creates an organization in which all users can work', async () => {
      await open('working')
      const olive = await loggedIn(host, 'working')

      const sent = await olive.post('/messages', {
        type: 'channel',
        to: 'general',
        topic: 'greetings',
        content: 'Hello',
      })
      const made = await olive.post('/channels/create', { name: 'beds', subscribers: [olive.id] })

      assert.equal(sent.status, 200, sent.text)
      assert.equal(made.status, 200, made.text)
    })

    it('restricts more permissions by default in a school', async () => {
      await open('school', { type: 35 })
      await open('office')
      const permissions = async (subdomain: string): Promise<(string | undefined)[]> => {
        const olive = await loggedIn(host, subdomain)
        const { body } = await olive.post('/register')
        const names = new Map<number, string>(
          body.realm_user_groups.map((group) => [group.id, group.name]),
        )
        return [
          'can_create_public_channel_group',
          'can_create_groups',
          'can_add_subscribers_group',
          'can_invite_users_group',
          'can_move_messages_between_channels_group',
        ]
          .map((name) => names.get(body[`realm_${name}`]))
          .concat(String(body.realm_user_settings_defaults.email_address_visibility))
      }

      assert.deepEqual(await permissions('school'), [
        'role:administrators',
        'role:moderators',
        'role:moderators',
        'role:administrators',
        'role:moderators',
        '3',
      ])
      assert.deepEqual(await permissions('office'), [
        'role:members',
        'role:members',
        'role:members',
        'role:members',
        'role:members',
        '1',
      ])
    })

    it('rejects subdomains that are reserved, and subdomains that are taken', async () => {
      await open('taken')
      const cases = {
        ab: 'Subdomain needs to have length 3 or greater.',
        '-garden': "Subdomain cannot start or end with a '-'.",
        'garden-': "Subdomain cannot start or end with a '-'.",
        Garden: "Subdomain can only have lowercase letters, numbers, and '-'s.",
        taken: 'Subdomain already in use. Please choose a different one.',
        www: 'Subdomain reserved. Please choose a different one.',
      }
      for (const [subdomain, message] of Object.entries(cases)) {
        await assert.rejects(open(subdomain), { message })
      }
      const unnamed = { message: 'Organization name must have 1 to 40 characters.' }
      await assert.rejects(open('unnamed', { name: ' ' }), unnamed)
      await assert.rejects(open('overnamed', { name: 'x'.repeat(41) }), unnamed)
      await assert.rejects(open('bot-owned', { owner: { ...owner, email: 'no address' } }))
      const invisible = { ...owner, email: 'olive\u202E@new.example' }
      await assert.rejects(open('bot-owned', { owner: invisible }), /Bad name or username/)
    })
  })
}
