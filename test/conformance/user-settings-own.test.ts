import assert from 'node:assert/strict'
import { it } from 'node:test'

import { userSettingDefinitions } from '../../packages/core/src/domain/users/user-settings.js'
import { passwordOf } from '../support/cast.js'
import type { Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost, type HostCase } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'
import { SocketClient } from '../support/socket-client.js'
import type { UncheckedJson } from '../support/unchecked-json.js'

const settingEvents = {
  event_types: ['user_settings', 'update_display_settings', 'update_global_notifications'],
}
const modern = {
  client_capabilities: { notification_settings_null: true, user_settings_object: true },
}

async function settingsOf(client: Client): Promise<UncheckedJson> {
  const answer = await client.post('/register', { fetch_event_types: ['user_settings'] })
  return answer.body.user_settings
}

/** A value of the setting other than its default. */
function anotherValue(name: string): boolean | number | string {
  const { default: value, values } = userSettingDefinitions[
    name as keyof typeof userSettingDefinitions
  ] as { default: boolean | number | string; values: { allowed?: readonly unknown[] } }
  if (name === 'timezone') return 'Europe/Vienna'
  if (name === 'default_language') return 'de'
  if (name === 'notification_sound') return 'deep tom'
  if (typeof value === 'boolean') return !value
  const other = values.allowed?.find((allowed) => allowed !== value)
  return (other as number | string | undefined) ?? Number(value) + 1
}

everyHost('update-settings', (at) => {
  it("changes every setting, sends one event each to the user's clients, and stores the values", async () => {
    const { alice, bob } = at.people
    const values = Object.fromEntries(
      Object.keys(userSettingDefinitions).map((name) => [name, anotherValue(name)]),
    )
    const [feed, bobFeed] = [
      await alice.listen({ ...settingEvents, ...modern }),
      await bob.listen({ ...settingEvents, ...modern }),
    ]

    const answer = await alice.patch('/settings', values)

    assert.deepEqual(answer.body, bareSuccess)
    const events = withoutIds(await feed.drain())
    assert.deepEqual(
      Object.fromEntries(events.map(({ property, value }) => [property, value])),
      values,
    )
    assert.equal(events.length, Object.keys(values).length)
    assert.deepEqual(
      events.find(({ property }) => property === 'default_language'),
      {
        type: 'user_settings',
        op: 'update',
        property: 'default_language',
        value: 'de',
        language_name: 'German',
      },
    )
    assert.deepEqual(await bobFeed.drain(), [])
    const stored = await settingsOf(alice)
    for (const [name, value] of Object.entries(values)) assert.equal(stored[name], value, name)
  })

  it('sends no event for values that do not change', async () => {
    const { carol } = at.people
    const feed = await carol.listen(settingEvents)

    const answers = [
      await carol.patch('/settings', { enter_sends: false, color_scheme: 1, timezone: '' }),
      await carol.patch('/settings'),
    ]

    for (const { body } of answers) assert.deepEqual(body, bareSuccess)
    assert.deepEqual(await feed.drain(), [])
  })

  it('sends older clients the events that they support', async () => {
    const { bob } = at.people
    const feed = await bob.listen(settingEvents)

    await bob.patch('/settings', {
      high_contrast_mode: true,
      default_language: 'fr',
      enable_sounds: false,
      send_read_receipts: false,
    })

    const update = { type: 'user_settings', op: 'update' }
    const display = { type: 'update_display_settings', user: bob.email }
    const language = { language_name: 'French' }
    assert.deepEqual(withoutIds(await feed.drain()), [
      { ...update, property: 'high_contrast_mode', value: true },
      { ...display, setting_name: 'high_contrast_mode', setting: true },
      { ...update, property: 'default_language', value: 'fr', ...language },
      { ...display, setting_name: 'default_language', setting: 'fr', ...language },
      { ...update, property: 'send_read_receipts', value: false },
      { ...update, property: 'enable_sounds', value: false },
      {
        type: 'update_global_notifications',
        user: bob.email,
        notification_name: 'enable_sounds',
        setting: false,
      },
    ])
  })

  it('rejects invalid values', async () => {
    const { alice } = at.people
    const listed = 'Value error, Not in the list of possible values'
    const refusals: readonly (readonly [string, string, string])[] = [
      ['enter_sends', '1', 'enter_sends is not a boolean'],
      ['enter_sends', 'True', 'enter_sends is not valid JSON'],
      ['web_font_size_px', '"16"', 'web_font_size_px is not an integer'],
      ['color_scheme', '4', `Invalid color_scheme: ${listed}`],
      ['web_channel_default_view', '5', `Invalid web_channel_default_view: ${listed}`],
      ['email_address_visibility', '6', `Invalid email_address_visibility: ${listed}`],
      ['desktop_icon_count_display', '0', `Invalid desktop_icon_count_display: ${listed}`],
      ['emojiset', 'apple', `Invalid emojiset: ${listed}`],
      ['web_home_view', '"inbox"', 'Invalid web_home_view'],
      ['web_animate_image_previews', 'sometimes', 'Invalid web_animate_image_previews'],
      [
        'resolved_topic_notice_auto_read_policy',
        '1',
        'Invalid resolved_topic_notice_auto_read_policy',
      ],
      ['notification_sound', 'gong', "Invalid notification sound 'gong'"],
      ['default_language', 'tlh', 'Invalid default_language'],
      ['timezone', 'Europe/Gotham', 'Invalid timezone: Value error, Not a recognized time zone'],
      ['timezone', '+05:00', 'Invalid timezone: Value error, Not a recognized time zone'],
      [
        'email_notifications_batching_period_seconds',
        '0',
        'Invalid email batching period: 0 seconds',
      ],
      [
        'email_notifications_batching_period_seconds',
        '604801',
        'Invalid email batching period: 604801 seconds',
      ],
    ]
    for (const [name, value, text] of refusals) {
      assertRefused(await alice.patch('/settings', { [name]: value }), text)
    }
  })

  it('changes nothing if one value is rejected', async () => {
    const { carol } = at.people
    const feed = await carol.listen(settingEvents)

    await carol.patch('/settings', { translate_emoticons: true, notification_sound: 'gong' })
    await carol.patch('/settings', { translate_emoticons: true, full_name: 'x' })

    assert.equal((await settingsOf(carol)).translate_emoticons, false)
    assert.deepEqual(await feed.drain(), [])
  })

  it('accepts every value of the enumerations, also those of later clients', async () => {
    const { mona } = at.people
    for (const view of [1, 2, 3, 4]) {
      await mona.patch('/settings', { web_channel_default_view: view })
      assert.equal((await settingsOf(mona)).web_channel_default_view, view)
    }
    await mona.patch('/settings', { web_home_view: 'recent', emojiset: 'google-blob' })
    const settings = await settingsOf(mona)
    assert.equal(settings.web_home_view, 'recent_topics')
    assert.equal(settings.emojiset, 'google-blob')
    assert.equal((await mona.patch('/settings', { notification_sound: 'none' })).status, 200)
  })

  it('stores the current name of a time zone and sends it to all users', async () => {
    const { bob, gus } = at.people
    const feed = await gus.listen({ event_types: ['realm_user'] })

    await bob.patch('/settings', { timezone: 'Asia/Calcutta' })

    assert.equal((await settingsOf(bob)).timezone, 'Asia/Kolkata')
    assert.deepEqual(withoutIds(await feed.drain()), [
      {
        type: 'realm_user',
        op: 'update',
        person: { user_id: bob.id, email: bob.email, timezone: 'Asia/Kolkata' },
      },
    ])
  })

  it("sends the address to users with access when its visibility changes, after the user's clients", async () => {
    const { mona, adam, carol } = at.people
    const types = { event_types: ['user_settings', 'realm_user'], ...modern }
    const [own, adamFeed, carolFeed] = [
      await mona.listen(types),
      await adam.listen(types),
      await carol.listen(types),
    ]

    await mona.patch('/settings', { email_address_visibility: 3 })

    const standIn = `user${mona.id}@users.invalid`
    const shown = (events: readonly Record<string, unknown>[]) =>
      events.map(({ property, person }) => property ?? person)
    const [first, ...ownRest] = shown(withoutIds(await own.drain()))
    assert.equal(first, 'email_address_visibility')
    assert.deepEqual(ownRest[0], { user_id: mona.id, new_email: standIn })
    const ofAdam = shown(withoutIds(await adamFeed.drain()))
    assert.deepEqual(ofAdam[0], { user_id: mona.id, new_email: standIn })
    const ofCarol = shown(withoutIds(await carolFeed.drain()))
    assert.deepEqual(ofCarol.slice(0, 2), [
      { user_id: mona.id, delivery_email: null },
      { user_id: mona.id, new_email: standIn },
    ])
    assert.equal((await settingsOf(mona)).email_address_visibility, 3)
  })

  it('changes the name, unless it is blank or the same', async () => {
    const { bob, gus } = at.people
    const feed = await gus.listen({ event_types: ['realm_user'] })

    await bob.patch('/settings', { full_name: '  ' })
    await bob.patch('/settings', { full_name: 'Bob Test' })
    await bob.patch('/settings', { full_name: ' Robert Test ' })

    assert.deepEqual(withoutIds(await feed.drain()), [
      {
        type: 'realm_user',
        op: 'update',
        person: { user_id: bob.id, full_name: 'Robert Test' },
      },
    ])
    assertRefused(await bob.patch('/settings', { full_name: 'B' }), 'Name too short!')
    assertRefused(await bob.patch('/settings', { full_name: 'x'.repeat(101) }), 'Name too long!')
    assertRefused(await bob.patch('/settings', { full_name: 'B>b' }), 'Invalid characters in name!')
  })

  it('lists unsupported parameters', async () => {
    const { alice } = at.people

    const { body } = await alice.patch('/settings', { dark_mode: true, enter_sends: true })

    assert.deepEqual(body.ignored_parameters_unsupported, ['dark_mode'])
  })

  it('keeps concurrent changes of several clients', async () => {
    const { carol } = at.people
    const names = ['left_side_userlist', 'fluid_layout_width', 'high_contrast_mode', 'enter_sends']

    await Promise.all(names.map((name) => carol.patch('/settings', { [name]: true })))

    const settings = await settingsOf(carol)
    for (const name of names) assert.equal(settings[name], true, name)
  })

  it('deletes stored drafts when their synchronization is disabled', async () => {
    const { carol } = at.people
    const draft = { type: 'stream', to: [at.channels.general], topic: 'x', content: 'later' }
    await carol.post('/drafts', { drafts: [draft] })
    const feed = await carol.listen({ event_types: ['drafts'] })

    await carol.patch('/settings', { enable_drafts_synchronization: false })
    await carol.patch('/settings', { enable_drafts_synchronization: true })

    assert.deepEqual((await carol.get('/drafts')).body.drafts, [])
    assert.deepEqual(await feed.drain(), [])
  })

  it('returns an error to bots', async () => {
    const { bot, gus } = at.people

    assertRefused(
      await bot.patch('/settings', { enter_sends: true }),
      'This endpoint does not accept bot requests.',
    )
    assert.equal((await gus.patch('/settings', { enter_sends: true })).status, 200)
    assert.equal((await at.nobody.patch('/settings', { enter_sends: true })).status, 401)
  })
})

everyHost(
  'update-settings',
  (at) => {
    it('changes the password of a user who sends the old one, and replaces the API key', async () => {
      const { alice } = at.people
      const newPassword = 'entirely new staple 77'
      const change = (old_password: string | undefined, new_password: string) =>
        alice.patch('/settings', { old_password, new_password })
      const answerTo = (password: string) =>
        at.nobody.post('/fetch_api_key', { username: alice.email, password })
      const logIn = async (password: string) => (await answerTo(password)).status
      const socket = await SocketClient.open(alice, { event_types: ['message'] })

      assertRefused(await change(undefined, newPassword), 'Wrong password!')
      assertRefused(await change('not it', newPassword), 'Wrong password!')
      assertRefused(await change(passwordOf('alice'), '12345678'), 'New password is too weak!')
      assert.equal(await logIn(newPassword), 401)

      assert.deepEqual((await change(passwordOf('alice'), newPassword)).body, bareSuccess)

      assert.deepEqual([await logIn(passwordOf('alice')), await logIn(newPassword)], [401, 200])
      assert.equal((await alice.get('/users/me')).body.code, 'INVALID_API_KEY')
      assert.equal((await socket.closing).code, 4003)
      const credentials = { email: alice.email, apiKey: (await answerTo(newPassword)).body.api_key }
      const renewed = at.host.client(at.subdomain, credentials, alice.id, 'alice')
      assert.equal((await renewed.get('/users/me')).body.user_id, alice.id)
    })

    it('ignores names silently if name changes are disabled, except for administrators', async () => {
      const { bob, adam } = at.people

      assert.deepEqual((await bob.patch('/settings', { full_name: 'Robert' })).body, bareSuccess)
      await adam.patch('/settings', { full_name: 'Adam Ant' })

      assert.equal((await bob.get('/users/me')).body.full_name, 'Bob Test')
      assert.equal((await adam.get('/users/me')).body.full_name, 'Adam Ant')
      assertRefused(
        await adam.patch('/settings', { full_name: 'CAROL test' }),
        'Unique names required in this organization.',
      )
    })
  },
  {
    settings: { name_changes_disabled: true, require_unique_names: true },
    passwords: ['alice'],
  },
)

function doesWhatOlderClientsExpect(at: HostCase, path: string): void {
  it('supports the legacy parameters of older clients', async () => {
    const { alice } = at.people

    const answer = await alice.patch(path, { enable_sounds: false, enter_sends: true })

    assert.deepEqual(answer.body, bareSuccess)
    const settings = await settingsOf(alice)
    assert.deepEqual([settings.enable_sounds, settings.enter_sends], [false, true])
    assertRefused(
      await alice.patch(path, { notification_sound: 'boom' }),
      "Invalid notification sound 'boom'",
    )
  })
}

everyHost('update-display-settings', (at) => doesWhatOlderClientsExpect(at, '/settings/display'))

everyHost('update-notification-settings', (at) =>
  doesWhatOlderClientsExpect(at, '/settings/notifications'),
)
