import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyLoaded, type Row } from '../support/loaded-organization.js'

everyLoaded('the users and groups', (at) => {
  const { id, file } = at

  it('are in the settings of the organization, with groups by name and by value', () => {
    assert.equal(at.registered['realm_description'], 'Everything is here')
    assert.equal(at.registered['realm_can_create_groups'], id.crew)
    assert.deepEqual(at.registered['realm_can_invite_users_group'], {
      direct_members: [id.bob],
      direct_subgroups: [at.group('role:owners')],
    })
    assert.equal(at.registered['realm_can_move_messages_between_topics_group'], id.mates)
    assert.equal(at.registered['realm_signup_announcements_stream_id'], id.deck)
    assert.equal(at.registered['realm_message_content_edit_limit_seconds'], null)
    assert.equal(at.registered['realm_user_settings_defaults'].color_scheme, 2)
  })

  it('have their settings', async () => {
    const users = await at.people.olga.get('/users')
    const self = await at.people.olga.get('/users/me')

    assert.equal(at.registered['user_settings'].twenty_four_hour_time, true)
    assert.equal(at.registered['user_settings'].email_address_visibility, 4)
    assert.equal(at.registered['user_settings'].color_scheme, 1)
    assert.equal(self.body.timezone, 'Europe/Kyiv')
    assert.deepEqual(
      users.body.members.map((user: Row) => user['user_id']).filter((one: number) => one < 6000),
      [id.olga, id.alice, id.bob, id.gus, id.dora, id.bot],
    )
  })

  it('have members, subgroups, settings, and a system group by its id', () => {
    const crew = at.registered['realm_user_groups'].find((row: Row) => row['id'] === id.crew)

    assert.equal(at.group('role:members'), id.members)
    assert.deepEqual(
      [crew.name, crew.description, crew.members, crew.direct_subgroup_ids, crew.creator_id],
      ['crew', 'Who sails', [id.alice], [id.mates], id.alice],
    )
    assert.deepEqual(
      [crew.can_join_group, crew.can_mention_group, crew.can_leave_group],
      [id.members, id.crew, at.group('role:everyone')],
    )
    assert.deepEqual(crew.can_manage_group, { direct_members: [id.alice], direct_subgroups: [] })
  })

  it('have profile fields and values', async () => {
    const { body: alice } = await at.people.bob.get(`/users/${id.alice}`, {
      include_custom_profile_fields: true,
    })
    const { body: bob } = await at.people.bob.get(`/users/${id.bob}`, {
      include_custom_profile_fields: true,
    })

    assert.deepEqual(
      at.registered['custom_profile_fields'].map((row: Row) => [
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
      JSON.parse(at.registered['custom_profile_fields'][0].field_data),
      file.profile_fields[0]?.field_data,
    )
    assert.deepEqual(alice.user.profile_data, {
      [id.rank]: { value: '*First* mate', rendered_value: '<p><em>First</em> mate</p>' },
      [id.ship]: { value: 'b' },
      [id.mate]: { value: `[${id.dora}]` },
    })
    assert.deepEqual(bob.user.profile_data, {})
  })

  it('have bots', async () => {
    const { body } = await at.people.alice.get('/bots')

    const [bot] = body.bots
    assert.deepEqual(
      [bot!.user_id ?? id.bot, bot!.default_sending_stream, bot!.default_events_register_stream],
      [id.bot, 'Deck', 'bridge'],
    )
    assert.equal(bot!.default_all_public_streams, true)
    assert.deepEqual(at.registered['realm_bots'][0].services, [
      { base_url: 'https://hook.example/in', interface: 2, token: 'abc' },
    ])
    assert.equal(at.registered['realm_bots'][0].bot_type, 3)
  })

  it('keep the system bots unchanged, and allow messages of them', async () => {
    const ids = at.registered['cross_realm_bots'].map((bot: Row) => bot['user_id'])
    const subscribed = await at.people.olga.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'bridge' }],
      principals: [id.bob],
    })
    const fetched = await at.people.bob.get('/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: [{ operator: 'is', operand: 'dm' }],
    })

    assert.equal(subscribed.status, 200)
    assert.equal(ids.length, 3)
    assert.ok(ids.every((one: number) => one > 2_147_483_000))
    assert.equal(fetched.body.messages[0]!.sender_full_name, 'Notification Bot')
    assert.ok(ids.includes(fetched.body.messages[0]!.sender_id))
  })

  it('work normally: posting, joining and mentioning follow the groups', async () => {
    const post = (client: Client) =>
      client.post('/messages', { type: 'stream', to: id.deck, topic: 't', content: 'x' })
    const allowed = await post(at.people.bob)
    const refused = await post(at.people.gus)
    const joined = await at.people.gus.post(`/user_groups/${id.crew}/members`, { add: [id.gus] })

    assert.equal(allowed.status, 200)
    assert.equal(refused.status, 400)
    assert.equal(joined.status, 400)
  })
})
