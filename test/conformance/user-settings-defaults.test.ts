import assert from 'node:assert/strict'
import { it } from 'node:test'

import { userSettingDefinitions } from '../../packages/core/src/domain/users/user-settings.js'
import type { Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'
import type { UncheckedJson } from '../support/unchecked-json.js'

const path = '/realm/user_settings_defaults'
const defaultEvents = { event_types: ['realm_user_settings_defaults'] }

async function defaultsFor(client: Client): Promise<UncheckedJson> {
  const fetch_event_types = ['realm_user_settings_defaults']
  const answer = await client.post('/register', { fetch_event_types })
  return answer.body.realm_user_settings_defaults
}

everyHost('update-realm-user-settings-defaults', (at) => {
  it('changes the values, sends them to all active users and keeps those of existing users', async () => {
    const { adam, alice, gus, bot } = at.people
    const feeds = [
      await alice.listen(defaultEvents),
      await gus.listen(defaultEvents),
      await bot.listen(defaultEvents),
    ]

    const answer = await adam.patch(path, {
      enter_sends: true,
      web_home_view: 'all_messages',
      color_scheme: 2,
      starred_message_counts: true,
    })

    assert.deepEqual(answer.body, bareSuccess)
    const update = { type: 'realm_user_settings_defaults', op: 'update' }
    for (const feed of feeds) {
      assert.deepEqual(withoutIds(await feed.drain()), [
        { ...update, property: 'enter_sends', value: true },
        { ...update, property: 'color_scheme', value: 2 },
        { ...update, property: 'web_home_view', value: 'all_messages' },
      ])
    }
    const stored = await defaultsFor(alice)
    assert.deepEqual(
      [stored.enter_sends, stored.web_home_view, stored.color_scheme],
      [true, 'all_messages', 2],
    )
    const own = await alice.post('/register', { fetch_event_types: ['user_settings'] })
    assert.equal(own.body.user_settings.enter_sends, false)
  })

  it('accepts every setting that has a default in the organization', async () => {
    const { olga } = at.people
    const changes = Object.fromEntries(
      Object.entries(userSettingDefinitions)
        .filter(([, definition]) => !('isPersonalOnly' in definition))
        .map(([name, { default: value }]) => [name, value]),
    )

    const answer = await olga.patch(path, changes)

    assert.deepEqual(answer.body, bareSuccess)
    const { emojiset_choices, available_notification_sounds, ...values } = await defaultsFor(olga)
    assert.deepEqual(values, {
      ...changes,
      allow_private_data_export: false,
      default_language: 'en',
      enable_login_emails: true,
      enable_marketing_emails: true,
    })
    assert.deepEqual(emojiset_choices[0], { key: 'google', text: 'Google' })
    assert.equal(available_notification_sounds.includes('deep tom'), true)
  })

  it('applies the values to users who join later, but not to bots', async () => {
    const { adam, olga } = at.people
    await adam.patch(path, { twenty_four_hour_time: true, email_address_visibility: 4 })

    const email = 'newcomer@elsewhere.example'
    const params = { email, full_name: 'New Comer', password: 'a rather long staple 12' }
    const { user_id } = (await olga.post('/users', params)).body

    const { body } = await olga.get(`/users/${user_id}`)
    assert.equal(body.user.email, `user${user_id}@users.invalid`)
    assert.equal(body.user.delivery_email, null)
  })

  it('sends no event for values that do not change', async () => {
    const { adam } = at.people
    const feed = await adam.listen(defaultEvents)

    assert.deepEqual((await adam.patch(path, { enable_sounds: true })).body, bareSuccess)
    assert.deepEqual((await adam.patch(path)).body, bareSuccess)

    assert.deepEqual(await feed.drain(), [])
  })

  it('lists settings that only a user can have as unsupported', async () => {
    const { adam } = at.people
    const personal = [
      'allow_private_data_export',
      'default_language',
      'enable_login_emails',
      'enable_marketing_emails',
      'full_name',
      'timezone',
    ]

    const { body } = await adam.patch(path, Object.fromEntries(personal.map((name) => [name, 'x'])))

    assert.deepEqual(body.ignored_parameters_unsupported, personal)
  })

  it('rejects invalid values, and changes nothing', async () => {
    const { adam } = at.people
    const listed = 'Value error, Not in the list of possible values'

    for (const [name, value, text] of [
      ['emojiset', 'google-blob', `Invalid emojiset: ${listed}`],
      ['user_list_style', 4, `Invalid user_list_style: ${listed}`],
      ['web_home_view', 'home', 'Invalid web_home_view'],
      ['presence_enabled', 'yes', 'presence_enabled is not valid JSON'],
      ['notification_sound', 'gong', "Invalid notification sound 'gong'"],
      [
        'email_notifications_batching_period_seconds',
        -5,
        'Invalid email batching period: -5 seconds',
      ],
    ] as const) {
      assertRefused(await adam.patch(path, { left_side_userlist: true, [name]: value }), text)
    }
    assert.equal((await defaultsFor(adam)).left_side_userlist, false)
  })

  it('returns an error to users who are not administrators or owners', async () => {
    const { olga, mona, alice, gus, bot } = at.people
    const refusal = { code: 'UNAUTHORIZED_PRINCIPAL' }

    for (const user of [mona, alice, gus, bot]) {
      const answer = await user.patch(path, { emojiset: 'apple' })
      assertRefused(answer, 'Must be an organization administrator', refusal)
    }
    assert.equal((await olga.patch(path, { fluid_layout_width: true })).status, 200)
    assert.equal((await at.nobody.patch(path)).status, 401)
  })
})
