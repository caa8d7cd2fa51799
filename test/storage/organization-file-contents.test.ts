import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import type { Client } from '../support/client.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { richOrganization } from '../support/rich-organization.js'

type Row = Record<string, any> // eslint-disable-line typescript/no-explicit-any -- whatever the server says

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`what an organization file holds (${database.name})`, () => {
    const host = new TestHost('express', database)
    const { id, at, file, credentials } = richOrganization('rich', 5000)
    const people = {} as Record<keyof typeof credentials, Client>
    let registered: Row
    let group: (name: string) => number
    before(async () => {
      await host.start()
      await host.chat.organizations.load(file)
      for (const name of Object.keys(credentials) as (keyof typeof credentials)[]) {
        people[name] = host.client('rich', credentials[name], id[name], name)
      }
      const capabilities = { notification_settings_null: true, linkifier_url_template: true }
      registered = (await people.alice.post('/register', { client_capabilities: capabilities }))
        .body
      group = (name) =>
        registered['realm_user_groups'].find((row: Row) => row['name'] === name)['id']
    })
    after(() => host.stop())

    const messagesOf = async (client: Client): Promise<Map<number, Row>> => {
      const { body } = await client.get('/messages', {
        anchor: 'oldest',
        num_before: 0,
        num_after: 100,
        client_gravatar: false,
      })
      return new Map(body.messages.map((message: Row) => [message['id'], message]))
    }

    it('is in the settings of the organization, with groups by name and by value', () => {
      assert.equal(registered['realm_description'], 'Everything is here')
      assert.equal(registered['realm_can_create_groups'], id.crew)
      assert.deepEqual(registered['realm_can_invite_users_group'], {
        direct_members: [id.bob],
        direct_subgroups: [group('role:owners')],
      })
      assert.equal(registered['realm_can_move_messages_between_topics_group'], id.mates)
      assert.equal(registered['realm_signup_announcements_stream_id'], id.deck)
      assert.equal(registered['realm_message_content_edit_limit_seconds'], null)
      assert.equal(registered['realm_user_settings_defaults'].color_scheme, 2)
    })

    it('is in the users and their settings', async () => {
      const users = await people.olga.get('/users')
      const self = await people.olga.get('/users/me')

      assert.equal(registered['user_settings'].twenty_four_hour_time, true)
      assert.equal(registered['user_settings'].email_address_visibility, 4)
      assert.equal(registered['user_settings'].color_scheme, 1)
      assert.equal(self.body.timezone, 'Europe/Kyiv')
      assert.deepEqual(
        users.body.members.map((user: Row) => user['user_id']).filter((one: number) => one < 6000),
        [id.olga, id.alice, id.bob, id.gus, id.dora, id.bot],
      )
    })

    it('is in the groups: members, subgroups, settings, and a system group of its id', () => {
      const crew = registered['realm_user_groups'].find((row: Row) => row['id'] === id.crew)

      assert.equal(group('role:members'), id.members)
      assert.deepEqual(
        [crew.name, crew.description, crew.members, crew.direct_subgroup_ids, crew.creator_id],
        ['crew', 'Who sails', [id.alice], [id.mates], id.alice],
      )
      assert.deepEqual(
        [crew.can_join_group, crew.can_mention_group, crew.can_leave_group],
        [id.members, id.crew, group('role:everyone')],
      )
      assert.deepEqual(crew.can_manage_group, { direct_members: [id.alice], direct_subgroups: [] })
    })

    it('is in the channels and in what users made of them', () => {
      const deck = registered['subscriptions'].find((row: Row) => row['stream_id'] === id.deck)
      const left = registered['unsubscribed'].map((row: Row) => row['stream_id'])

      assert.deepEqual(
        [deck.name, deck.rendered_description, deck.first_message_id, deck.topics_policy],
        ['Deck', '<p>Up <em>here</em></p>', id.first, 'allow_empty_topic'],
      )
      assert.deepEqual(
        [deck.can_send_message_group, deck.can_remove_subscribers_group],
        [id.crew, id.mates],
      )
      assert.deepEqual(deck.can_administer_channel_group, {
        direct_members: [id.olga],
        direct_subgroups: [],
      })
      assert.deepEqual(
        [deck.color, deck.is_muted, deck.pin_to_top, deck.push_notifications],
        ['#123456', true, true, false],
      )
      assert.equal(deck.desktop_notifications, null)
      assert.deepEqual(left, [id.bridge])
      assert.deepEqual(registered['realm_default_streams'], [id.deck])
    })

    it('is in the messages: mentions, alert words, emoji, links and flags', async () => {
      const alice = await messagesOf(people.alice)
      const gus = await messagesOf(people.gus)
      const bot = await messagesOf(people.bot)
      const flagsOf = (messages: Map<number, Row>) =>
        Object.fromEntries(
          [...messages].map(([messageId, { flags }]) => [
            messageId,
            (flags as string[]).toSorted(),
          ]),
        )

      assert.match(String(alice.get(id.mention)?.['content']), /class="user-mention"/)
      assert.match(
        String(alice.get(id.mention)?.['content']),
        new RegExp(`/near/${id.first}|/with/${id.first}`),
      )
      assert.match(String(alice.get(id.mention)?.['content']), /alt=":shout:"/)
      assert.match(String(alice.get(id.mention)?.['content']), /https:\/\/refs.example\/7/)
      assert.equal(alice.get(id.mention)?.['client'], 'website')
      assert.match(String(alice.get(id.everyone)?.['content']), /class="emoji/)
      assert.doesNotMatch(String(alice.get(id.first)?.['content']), /class="emoji/)
      assert.deepEqual(flagsOf(alice), {
        [id.first]: ['read', 'starred'],
        [id.mention]: ['mentioned'],
        [id.everyone]: ['read', 'stream_wildcard_mentioned', 'wildcard_mentioned'],
        [id.direct]: [],
        [id.outside]: ['historical', 'read'],
        // Who is muted has been read.
        [id.poll + 1]: ['read'],
      })
      assert.deepEqual(flagsOf(gus), {
        [id.first]: ['collapsed'],
        [id.mention]: ['has_alert_word'],
        [id.everyone]: ['stream_wildcard_mentioned', 'wildcard_mentioned'],
        [id.direct]: [],
        [id.poll + 1]: ['read'],
      })
      assert.deepEqual(flagsOf(bot), { [id.outside]: ['mentioned'] })
    })

    it('is in the unread counts and in the newest conversations', () => {
      assert.deepEqual(registered['unread_msgs'].mentions, [id.mention])
      assert.deepEqual(registered['unread_msgs'].streams, [
        { stream_id: id.deck, topic: 'Sails', unread_message_ids: [id.mention] },
      ])
      assert.deepEqual(
        registered['unread_msgs'].huddles.map((row: Row) => row['unread_message_ids']),
        [[id.direct]],
      )
      assert.deepEqual(registered['starred_messages'], [id.first])
      assert.deepEqual(
        registered['recent_private_conversations'].map((row: Row) => row['user_ids']),
        [[id.gus], [id.bob, id.gus]],
      )
    })

    it('is in the reactions', async () => {
      const messages = await messagesOf(people.bob)

      assert.deepEqual(
        messages
          .get(id.first)
          ?.['reactions'].map((row: Row) => [
            row['user_id'],
            row['emoji_name'],
            row['emoji_code'],
            row['reaction_type'],
          ]),
        [
          [id.bob, 'tada', '1f389', 'unicode_emoji'],
          [id.gus, 'shout', String(id.shout), 'realm_emoji'],
        ],
      )
    })

    it('is in the emoji, linkifiers and playgrounds', async () => {
      const { emoji } = (await people.bob.get('/realm/emoji')).body
      const image = await people.bob.get(
        String(emoji[id.shout].source_url).replace(/^\/api\/v1/, ''),
      )

      assert.deepEqual(
        Object.values(emoji as Record<string, Row>).map((row) => [
          row['id'],
          row['name'],
          row['author_id'],
          row['deactivated'],
        ]),
        [
          [String(id.shout), 'shout', id.alice, false],
          [String(id.old), 'old', id.bob, true],
        ],
      )
      assert.deepEqual([image.status, image.headers['content-type']], [200, 'image/png'])
      assert.deepEqual(registered['realm_linkifiers'], file.linkifiers)
      assert.deepEqual(registered['realm_playgrounds'], file.playgrounds)
    })

    it('is in what users keep for themselves', async () => {
      const { body: words } = await people.gus.get('/users/me/alert_words')
      const { body: status } = await people.alice.get(`/users/${id.bob}/status`)
      const { body: scheduled } = await people.alice.get('/scheduled_messages')

      assert.deepEqual(words.alert_words, ['Ahoy', 'land'])
      assert.deepEqual(registered['muted_users'], [{ id: id.gus, timestamp: at + 1 }])
      assert.deepEqual(
        registered['user_topics'].map((row: Row) => [
          row['stream_id'],
          row['topic_name'],
          row['visibility_policy'],
          row['last_updated'],
        ]),
        [
          [id.deck, 'sails', 3, at + 2],
          [id.deck, 'Oars', 1, at + 3],
        ],
      )
      assert.deepEqual(status.status, {
        status_text: 'Rowing',
        emoji_name: 'shout',
        emoji_code: String(id.shout),
        reaction_type: 'realm_emoji',
      })
      assert.deepEqual(registered['drafts'], [
        {
          id: id.draft,
          type: 'stream',
          to: [id.deck],
          topic: 'sails',
          content: 'Not yet',
          timestamp: at + 4,
        },
      ])
      assert.deepEqual(registered['saved_snippets'], [
        { id: id.snippet, title: 'Sign', content: 'Yours, Alice', date_created: at + 5 },
      ])
      assert.deepEqual(registered['navigation_views'], [
        { fragment: 'inbox', is_pinned: true, name: null },
        { fragment: 'narrow/is/dm', is_pinned: false, name: 'Direct' },
      ])
      assert.deepEqual(scheduled.scheduled_messages, [
        {
          scheduled_message_id: id.scheduled,
          type: 'stream',
          to: id.deck,
          topic: 'sails',
          content: '*Later*',
          rendered_content: '<p><em>Later</em></p>',
          scheduled_delivery_timestamp: 4_000_000_000,
          failed: false,
        },
        {
          scheduled_message_id: id.scheduled + 1,
          type: 'private',
          to: [id.bob],
          content: 'Bob',
          rendered_content: '<p>Bob</p>',
          scheduled_delivery_timestamp: 4_000_000_001,
          failed: false,
        },
      ])
    })

    it('is in the domains, and in the folders of channels', () => {
      const deck = registered['subscriptions'].find((row: Row) => row['stream_id'] === id.deck)

      assert.deepEqual(registered['realm_domains'], [
        { domain: 'rich.example', allow_subdomains: true },
        { domain: 'other.example', allow_subdomains: false },
      ])
      assert.equal(deck.folder_id, id.afloat)
      assert.deepEqual(registered['channel_folders'], [
        {
          id: id.ashore,
          name: 'Ashore',
          description: '',
          rendered_description: '',
          order: 0,
          creator_id: null,
          date_created: at,
          is_archived: true,
        },
        {
          id: id.afloat,
          name: 'Afloat',
          description: 'At *sea*',
          rendered_description: '<p>At <em>sea</em></p>',
          order: 1,
          creator_id: id.olga,
          date_created: at + 6,
          is_archived: false,
        },
      ])
    })

    it('is in the profile fields and in what users answer to them', async () => {
      const { body: alice } = await people.bob.get(`/users/${id.alice}`, {
        include_custom_profile_fields: true,
      })
      const { body: bob } = await people.bob.get(`/users/${id.bob}`, {
        include_custom_profile_fields: true,
      })

      assert.deepEqual(
        registered['custom_profile_fields'].map((row: Row) => [
          row['id'],
          row['type'],
          row['order'],
          row['name'],
          row['hint'],
          row['required'],
          row['editable_by_user'],
          row['display_in_profile_summary'],
        ]),
        [
          [id.ship, 3, 0, 'Ship', '', true, true, undefined],
          [id.rank, 1, 1, 'Rank', 'Aboard', false, false, true],
          [id.mate, 6, 2, 'Mates', '', false, true, undefined],
        ],
      )
      assert.deepEqual(
        JSON.parse(registered['custom_profile_fields'][0].field_data),
        file.profile_fields[0]?.field_data,
      )
      assert.deepEqual(alice.user.profile_data, {
        [id.rank]: { value: '*First* mate', rendered_value: '<p><em>First</em> mate</p>' },
        [id.ship]: { value: 'b' },
        [id.mate]: { value: `[${id.dora}]` },
      })
      assert.deepEqual(bob.user.profile_data, {})
    })

    it('is in what bots have', async () => {
      const { body } = await people.alice.get('/bots')

      const [bot] = body.bots
      assert.deepEqual(
        [bot.user_id ?? id.bot, bot.default_sending_stream, bot.default_events_register_stream],
        [id.bot, 'Deck', 'bridge'],
      )
      assert.equal(bot.default_all_public_streams, true)
      assert.deepEqual(registered['realm_bots'][0].services, [
        { base_url: 'https://hook.example/in', interface: 2, token: 'abc' },
      ])
      assert.equal(registered['realm_bots'][0].bot_type, 3)
    })

    it('is in polls and their votes', async () => {
      const { body } = await people.bob.get(`/messages/${id.poll}`)

      assert.deepEqual(
        body.message.submessages.map((row: Row) => [
          row['message_id'],
          row['sender_id'],
          row['msg_type'],
          JSON.parse(String(row['content'])),
        ]),
        [
          [
            id.poll,
            id.bob,
            'widget',
            {
              widget_type: 'poll',
              extra_data: { question: 'Where to?', options: ['North', 'South'] },
            },
          ],
          [id.poll, id.bob, 'widget', { type: 'vote', key: 'canned,0' }],
        ],
      )
    })

    it('is in the reminders, as if they had been made through the API', async () => {
      const { body } = await people.alice.get('/reminders')

      assert.deepEqual(
        body.reminders.map((row: Row) => [
          row['reminder_id'],
          row['reminder_target_message_id'],
          row['scheduled_delivery_timestamp'],
          row['failed'],
        ]),
        [
          [id.reminder + 1, id.direct, at, true],
          [id.reminder, id.mention, 4_000_000_002, false],
        ],
      )
      const [direct, mention] = body.reminders
      assert.match(mention.content, new RegExp(`^You requested .*#\\*\\*Deck>Sails@${id.mention}`))
      assert.match(mention.content, /> Look at the sails/)
      assert.match(mention.content, /said[^]*REF-7, ahoy/)
      assert.match(mention.rendered_content, /<blockquote>/)
      assert.match(
        direct.content,
        new RegExp(`/#narrow/dm/${id.alice},${id.bob},${id.gus}-group/near/${id.direct}`),
      )
    })

    it('says which ids come next', async () => {
      const sent = await people.bob.post('/messages', {
        type: 'direct',
        to: [id.alice],
        content: 'Next',
      })
      const linkifier = await people.olga.post('/realm/filters', {
        pattern: 'NEXT-(?P<id>[0-9]+)',
        url_template: 'https://next.example/{id}',
      })
      const draft = await people.bob.post('/drafts', {
        drafts: [{ type: '', to: [], topic: '', content: 'x' }],
      })

      const domain = await people.olga.post('/realm/domains', {
        domain: 'next.example',
        allow_subdomains: false,
      })
      const field = await people.olga.post('/realm/profile_fields', { name: 'Next', field_type: 1 })
      const folder = await people.olga.post('/channel_folders/create', { name: 'Next' })
      const bot = await people.alice.post('/bots', {
        full_name: 'Next',
        short_name: 'next',
        bot_type: 1,
      })
      const reminder = await people.bob.post('/reminders', {
        message_id: id.first,
        scheduled_delivery_timestamp: 4_000_000_000,
      })

      assert.equal(sent.body.id, 6000)
      assert.deepEqual(
        [field.body.id, folder.body.channel_folder_id, bot.body.user_id, reminder.body.reminder_id],
        [5500, 5500, 5500, 5500],
      )
      assert.match(JSON.stringify(domain.body), /5500/)
      assert.equal(linkifier.body.id, 5500)
      assert.deepEqual(draft.body.ids, [5500])
    })

    it('leaves the system bots what they are, and lets them speak', async () => {
      const ids = registered['cross_realm_bots'].map((bot: Row) => bot['user_id'])
      const subscribed = await people.olga.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'bridge' }],
        principals: [id.bob],
      })
      const told = await people.bob.get('/messages', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        narrow: [{ operator: 'is', operand: 'dm' }],
      })

      assert.equal(subscribed.status, 200)
      assert.equal(ids.length, 3)
      assert.ok(ids.every((one: number) => one > 2_147_483_000))
      assert.equal(told.body.messages[0].sender_full_name, 'Notification Bot')
      assert.ok(ids.includes(told.body.messages[0].sender_id))
    })

    it('is used like anything else: posting, joining and mentioning follow its groups', async () => {
      const post = (client: Client) =>
        client.post('/messages', { type: 'stream', to: id.deck, topic: 't', content: 'x' })
      const allowed = await post(people.bob)
      const refused = await post(people.gus)
      const joined = await people.gus.post(`/user_groups/${id.crew}/members`, { add: [id.gus] })

      assert.equal(allowed.status, 200)
      assert.equal(refused.status, 400)
      assert.equal(joined.status, 400)
    })

    it('is the same at every load', async () => {
      const again = new TestHost('koa', database)
      await again.start()
      try {
        await again.chat.organizations.load(file)
        const client = again.client('rich', credentials.gus, id.gus, 'gus')
        const first = await people.gus.get(`/messages/${id.mention}`)
        const second = await client.get(`/messages/${id.mention}`)

        assert.deepEqual(second.body, first.body)
      } finally {
        await again.stop()
      }
    })
  })
}
