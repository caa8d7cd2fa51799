import fc from 'fast-check'

import type { Parameters } from '../support/client.js'
import { sendFiles } from '../support/uploads.js'
import { pixel } from '../support/rich-organization.js'
import { anyone, by, command, flag, index, withOne } from './register-command.js'
import type { Name } from './register-state.js'

const laterSeconds = 4_000_000_000

/** Commands about personal items. */
const personalCommands = [
  command<[Name, string, boolean]>(
    'change alert words',
    [anyone, fc.constantFrom('ahoy', 'Ahoy', 'land'), flag],
    (state, name, word, adds) =>
      by(state, name)[adds ? 'post' : 'delete']('/users/me/alert_words', { alert_words: [word] }),
  ),
  command<[Name]>(
    'create a draft',
    [anyone],
    (state, name) =>
      by(state, name).post('/drafts', {
        drafts: [{ type: 'stream', to: [state.one('channel', 1)], topic: 't', content: 'x' }],
      }),
    (state, body, [name]) => state.note(`draft of ${name}`, body.ids[0]),
  ),
  command<[Name, number, boolean]>(
    'change a draft',
    [anyone, index, flag],
    (state, name, which, edits) =>
      withOne(state, `draft of ${name}`, which, (id) =>
        edits
          ? by(state, name).patch(`/drafts/${id}`, {
              draft: { type: 'private', to: [], topic: '', content: 'edited' },
            })
          : by(state, name).delete(`/drafts/${id}`),
      ),
  ),
  command<[Name]>(
    'create a snippet',
    [anyone],
    (state, name) => by(state, name).post('/saved_snippets', { title: 'One', content: 'x' }),
    (state, body, [name]) => state.note(`snippet of ${name}`, body.saved_snippet_id),
  ),
  command<[Name, number, boolean]>(
    'change a snippet',
    [anyone, index, flag],
    (state, name, which, edits) =>
      withOne(state, `snippet of ${name}`, which, (id) =>
        edits
          ? by(state, name).patch(`/saved_snippets/${id}`, { title: state.name() })
          : by(state, name).delete(`/saved_snippets/${id}`),
      ),
  ),
  command<[Name, string, number]>(
    'change a navigation view',
    [anyone, fc.constantFrom('inbox', 'recent', 'narrow/is/dm'), fc.nat(2)],
    (state, name, fragment, which) =>
      [
        () =>
          by(state, name).post('/navigation_views', {
            fragment,
            is_pinned: true,
            ...(fragment.startsWith('narrow') ? { name: state.name() } : {}),
          }),
        () => by(state, name).patch(`/navigation_views/${fragment}`, { is_pinned: false }),
        () => by(state, name).delete(`/navigation_views/${fragment}`),
      ][which]?.(),
  ),
  command<[Name]>(
    'schedule a message',
    [anyone],
    (state, name) =>
      by(state, name).post('/scheduled_messages', {
        type: 'direct',
        to: [by(state, 'bob').id],
        content: '*Later*',
        scheduled_delivery_timestamp: laterSeconds,
      }),
    (state, body, [name]) => state.note(`scheduled of ${name}`, body.scheduled_message_id),
  ),
  command<[Name, number, boolean]>(
    'change a scheduled message',
    [anyone, index, flag],
    (state, name, which, edits) =>
      withOne(state, `scheduled of ${name}`, which, (id) =>
        edits
          ? by(state, name).patch(`/scheduled_messages/${id}`, { content: state.name() })
          : by(state, name).delete(`/scheduled_messages/${id}`),
      ),
  ),
  command<[Name, number]>(
    'set a reminder',
    [anyone, index],
    (state, name, which) =>
      withOne(state, 'message', which, (message_id) =>
        by(state, name).post('/reminders', {
          message_id,
          scheduled_delivery_timestamp: laterSeconds,
        }),
      ),
    (state, body, [name]) => state.note(`reminder of ${name}`, body.reminder_id),
  ),
  command<[Name, number]>('delete a reminder', [anyone, index], (state, name, which) =>
    withOne(state, `reminder of ${name}`, which, (id) =>
      by(state, name).delete(`/reminders/${id}`),
    ),
  ),
  command<[Name, Parameters]>(
    'change settings',
    [
      anyone,
      fc.constantFrom<Parameters>(
        { twenty_four_hour_time: true },
        { color_scheme: 2 },
        { timezone: 'Europe/Kyiv' },
        { enable_sounds: false },
        { default_language: 'de' },
        { email_address_visibility: 5 },
        { email_address_visibility: 3 },
        { email_address_visibility: 1 },
        { presence_enabled: false },
        { presence_enabled: true },
        { enable_drafts_synchronization: false },
        { enable_stream_push_notifications: true },
        { full_name: 'Another Name' },
      ),
    ],
    (state, name, settings) => by(state, name).patch('/settings', settings),
  ),
  command<[Name, number]>('set a profile value', [anyone, index], (state, name, which) =>
    withOne(state, 'field', which, (id) =>
      by(state, name).patch('/users/me/profile_data', { data: [{ id, value: '*mine*' }] }),
    ),
  ),
  command<[Name, number]>('remove a profile value', [anyone, index], (state, name, which) =>
    withOne(state, 'field', which, (id) =>
      by(state, name).delete('/users/me/profile_data', { data: [id] }),
    ),
  ),
]

/** Commands of administrators about the organization. */
const organizationCommands = [
  command<[Parameters]>(
    'change the organization',
    [
      fc.constantFrom<Parameters>(
        { name: 'Renamed' },
        { description: '*Ours*' },
        { default_language: 'de' },
        { message_edit_history_visibility_policy: 'none' },
        { message_content_edit_limit_seconds: 'unlimited' },
        { allow_message_editing: false },
        { topics_policy: 'disable_empty_topic' },
        { topics_policy: 'allow_empty_topic' },
        { waiting_period_threshold: 30_000 },
        { waiting_period_threshold: 0 },
        { jitsi_server_url: 'https://meet.example' },
        { enable_spectator_access: true },
        { digest_emails_enabled: true },
        { require_unique_names: true },
      ),
    ],
    (state, settings) => by(state, 'olga').patch('/realm', settings),
  ),
  command<[string, number]>(
    'change an announcement channel',
    [
      fc.constantFrom('new_stream_announcements_stream_id', 'signup_announcements_stream_id'),
      fc.nat(9),
    ],
    (state, property, which) =>
      withOne(state, 'channel', which, (id) =>
        by(state, 'olga').patch('/realm', { [property]: id }),
      ),
  ),
  command<[string, number, boolean]>(
    'change a permission of the organization',
    [
      fc.constantFrom(
        'can_create_public_channel_group',
        'can_create_private_channel_group',
        'can_create_web_public_channel_group',
        'can_invite_users_group',
        'can_mention_many_users_group',
        'can_add_custom_emoji_group',
      ),
      fc.nat(7),
      flag,
    ],
    (state, setting, whom, isAnonymous) => {
      const group = state.one('systemGroup', whom)
      const people = { direct_members: [by(state, 'carol').id], direct_subgroups: [group] }
      return by(state, 'olga').patch('/realm', { [setting]: { new: isAnonymous ? people : group } })
    },
  ),
  command<[Parameters]>(
    'change defaults of new users',
    [fc.constantFrom<Parameters>({ color_scheme: 3 }, { enter_sends: true }, { emojiset: 'text' })],
    (state, settings) => by(state, 'olga').patch('/realm/user_settings_defaults', settings),
  ),
  command<[string, boolean]>(
    'change custom emoji',
    [fc.constantFrom('one', 'two'), flag],
    (state, name, adds) =>
      adds
        ? sendFiles(by(state, 'alice'), `/realm/emoji/${name}`, [
            { name: 'x.png', type: 'image/png', bytes: Buffer.from(pixel, 'base64') },
          ])
        : by(state, 'olga').delete(`/realm/emoji/${name}`),
  ),
  command<[]>(
    'add a linkifier',
    [],
    (state) =>
      by(state, 'olga').post('/realm/filters', {
        pattern: `${state.name().replace(' ', '')}-(?P<n>[0-9]+)`,
        url_template: 'https://links.example/{n}',
      }),
    (state, body) => state.note('linkifier', body.id),
  ),
  command<[number, boolean]>('change a linkifier', [index, flag], (state, which, edits) =>
    withOne(state, 'linkifier', which, (id) =>
      edits
        ? by(state, 'olga').patch(`/realm/filters/${id}`, {
            pattern: `${state.name().replace(' ', '')}-(?P<n>[0-9]+)`,
            url_template: 'https://other.example/{n}',
          })
        : by(state, 'olga').delete(`/realm/filters/${id}`),
    ),
  ),
  command<[]>(
    'add a playground',
    [],
    (state) =>
      by(state, 'olga').post('/realm/playgrounds', {
        name: state.name(),
        pygments_language: 'Rust',
        url_template: 'https://play.example/{code}',
      }),
    (state, body) => state.note('playground', body.id),
  ),
  command<[number]>('remove a playground', [index], (state, which) =>
    withOne(state, 'playground', which, (id) =>
      by(state, 'olga').delete(`/realm/playgrounds/${id}`),
    ),
  ),
  command<[number]>('change a domain', [fc.nat(2)], (state, which) =>
    [
      () =>
        by(state, 'olga').post('/realm/domains', { domain: 'd.example', allow_subdomains: true }),
      () => by(state, 'olga').patch('/realm/domains/d.example', { allow_subdomains: false }),
      () => by(state, 'olga').delete('/realm/domains/d.example'),
    ][which]?.(),
  ),
  command<[]>(
    'create a profile field',
    [],
    (state) =>
      by(state, 'olga').post('/realm/profile_fields', { name: state.name(), field_type: 1 }),
    (state, body) => state.note('field', body.id),
  ),
  command<[number, boolean]>('change a profile field', [index, flag], (state, which, edits) =>
    withOne(state, 'field', which, (id) =>
      edits
        ? by(state, 'olga').patch(`/realm/profile_fields/${id}`, { name: state.name() })
        : by(state, 'olga').delete(`/realm/profile_fields/${id}`),
    ),
  ),
]

/** Commands about settings and items of users and of the organization. */
export const settingCommands = [...personalCommands, ...organizationCommands] as const
