import fc from 'fast-check'

import type { Parameters } from '../support/client.js'
import { sendFiles } from '../support/uploads.js'
import { pixel } from '../support/rich-organization.js'
import { anyone, by, command, flag, index, withOne } from './register-command.js'
import type { Name } from './register-world.js'

const laterSeconds = 4_000_000_000

/** What people keep for themselves. */
const personalCommands = [
  command<[Name, string, boolean]>(
    'change alert words',
    [anyone, fc.constantFrom('ahoy', 'Ahoy', 'land'), flag],
    (world, name, word, adds) =>
      by(world, name)[adds ? 'post' : 'delete']('/users/me/alert_words', { alert_words: [word] }),
  ),
  command<[Name]>(
    'draft',
    [anyone],
    (world, name) =>
      by(world, name).post('/drafts', {
        drafts: [{ type: 'stream', to: [world.one('channel', 1)], topic: 't', content: 'x' }],
      }),
    (world, body, [name]) => world.note(`draft of ${name}`, body.ids[0]),
  ),
  command<[Name, number, boolean]>(
    'change a draft',
    [anyone, index, flag],
    (world, name, which, edits) =>
      withOne(world, `draft of ${name}`, which, (id) =>
        edits
          ? by(world, name).patch(`/drafts/${id}`, {
              draft: { type: 'private', to: [], topic: '', content: 'edited' },
            })
          : by(world, name).delete(`/drafts/${id}`),
      ),
  ),
  command<[Name]>(
    'save a snippet',
    [anyone],
    (world, name) => by(world, name).post('/saved_snippets', { title: 'One', content: 'x' }),
    (world, body, [name]) => world.note(`snippet of ${name}`, body.saved_snippet_id),
  ),
  command<[Name, number, boolean]>(
    'change a snippet',
    [anyone, index, flag],
    (world, name, which, edits) =>
      withOne(world, `snippet of ${name}`, which, (id) =>
        edits
          ? by(world, name).patch(`/saved_snippets/${id}`, { title: world.name() })
          : by(world, name).delete(`/saved_snippets/${id}`),
      ),
  ),
  command<[Name, string, number]>(
    'change a view',
    [anyone, fc.constantFrom('inbox', 'recent', 'narrow/is/dm'), fc.nat(2)],
    (world, name, fragment, which) =>
      [
        () =>
          by(world, name).post('/navigation_views', {
            fragment,
            is_pinned: true,
            ...(fragment.startsWith('narrow') ? { name: world.name() } : {}),
          }),
        () => by(world, name).patch(`/navigation_views/${fragment}`, { is_pinned: false }),
        () => by(world, name).delete(`/navigation_views/${fragment}`),
      ][which]?.(),
  ),
  command<[Name]>(
    'schedule',
    [anyone],
    (world, name) =>
      by(world, name).post('/scheduled_messages', {
        type: 'direct',
        to: [by(world, 'bob').id],
        content: '*Later*',
        scheduled_delivery_timestamp: laterSeconds,
      }),
    (world, body, [name]) => world.note(`scheduled of ${name}`, body.scheduled_message_id),
  ),
  command<[Name, number, boolean]>(
    'change what is scheduled',
    [anyone, index, flag],
    (world, name, which, edits) =>
      withOne(world, `scheduled of ${name}`, which, (id) =>
        edits
          ? by(world, name).patch(`/scheduled_messages/${id}`, { content: world.name() })
          : by(world, name).delete(`/scheduled_messages/${id}`),
      ),
  ),
  command<[Name, number]>(
    'set a reminder',
    [anyone, index],
    (world, name, which) =>
      withOne(world, 'message', which, (message_id) =>
        by(world, name).post('/reminders', {
          message_id,
          scheduled_delivery_timestamp: laterSeconds,
        }),
      ),
    (world, body, [name]) => world.note(`reminder of ${name}`, body.reminder_id),
  ),
  command<[Name, number]>('drop a reminder', [anyone, index], (world, name, which) =>
    withOne(world, `reminder of ${name}`, which, (id) =>
      by(world, name).delete(`/reminders/${id}`),
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
    (world, name, settings) => by(world, name).patch('/settings', settings),
  ),
  command<[Name, number]>('fill in a field', [anyone, index], (world, name, which) =>
    withOne(world, 'field', which, (id) =>
      by(world, name).patch('/users/me/profile_data', { data: [{ id, value: '*mine*' }] }),
    ),
  ),
  command<[Name, number]>('empty a field', [anyone, index], (world, name, which) =>
    withOne(world, 'field', which, (id) =>
      by(world, name).delete('/users/me/profile_data', { data: [id] }),
    ),
  ),
]

/** What administrators do for everyone. */
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
    (world, settings) => by(world, 'olga').patch('/realm', settings),
  ),
  command<[string, number]>(
    'announce in a channel',
    [
      fc.constantFrom('new_stream_announcements_stream_id', 'signup_announcements_stream_id'),
      fc.nat(9),
    ],
    (world, property, which) =>
      withOne(world, 'channel', which, (id) =>
        by(world, 'olga').patch('/realm', { [property]: id }),
      ),
  ),
  command<[string, number, boolean]>(
    'change who may in the organization',
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
    (world, setting, whom, isAnonymous) => {
      const group = world.one('systemGroup', whom)
      const people = { direct_members: [by(world, 'carol').id], direct_subgroups: [group] }
      return by(world, 'olga').patch('/realm', { [setting]: { new: isAnonymous ? people : group } })
    },
  ),
  command<[Parameters]>(
    'change defaults of new users',
    [fc.constantFrom<Parameters>({ color_scheme: 3 }, { enter_sends: true }, { emojiset: 'text' })],
    (world, settings) => by(world, 'olga').patch('/realm/user_settings_defaults', settings),
  ),
  command<[string, boolean]>(
    'change an emoji',
    [fc.constantFrom('one', 'two'), flag],
    (world, name, adds) =>
      adds
        ? sendFiles(by(world, 'alice'), `/realm/emoji/${name}`, [
            { name: 'x.png', type: 'image/png', bytes: Buffer.from(pixel, 'base64') },
          ])
        : by(world, 'olga').delete(`/realm/emoji/${name}`),
  ),
  command<[]>(
    'add a linkifier',
    [],
    (world) =>
      by(world, 'olga').post('/realm/filters', {
        pattern: `${world.name().replace(' ', '')}-(?P<n>[0-9]+)`,
        url_template: 'https://links.example/{n}',
      }),
    (world, body) => world.note('linkifier', body.id),
  ),
  command<[number, boolean]>('change a linkifier', [index, flag], (world, which, edits) =>
    withOne(world, 'linkifier', which, (id) =>
      edits
        ? by(world, 'olga').patch(`/realm/filters/${id}`, {
            pattern: `${world.name().replace(' ', '')}-(?P<n>[0-9]+)`,
            url_template: 'https://other.example/{n}',
          })
        : by(world, 'olga').delete(`/realm/filters/${id}`),
    ),
  ),
  command<[]>(
    'add a playground',
    [],
    (world) =>
      by(world, 'olga').post('/realm/playgrounds', {
        name: world.name(),
        pygments_language: 'Rust',
        url_template: 'https://play.example/{code}',
      }),
    (world, body) => world.note('playground', body.id),
  ),
  command<[number]>('remove a playground', [index], (world, which) =>
    withOne(world, 'playground', which, (id) =>
      by(world, 'olga').delete(`/realm/playgrounds/${id}`),
    ),
  ),
  command<[number]>('change a domain', [fc.nat(2)], (world, which) =>
    [
      () =>
        by(world, 'olga').post('/realm/domains', { domain: 'd.example', allow_subdomains: true }),
      () => by(world, 'olga').patch('/realm/domains/d.example', { allow_subdomains: false }),
      () => by(world, 'olga').delete('/realm/domains/d.example'),
    ][which]?.(),
  ),
  command<[]>(
    'create a field',
    [],
    (world) =>
      by(world, 'olga').post('/realm/profile_fields', { name: world.name(), field_type: 1 }),
    (world, body) => world.note('field', body.id),
  ),
  command<[number, boolean]>('change a field', [index, flag], (world, which, edits) =>
    withOne(world, 'field', which, (id) =>
      edits
        ? by(world, 'olga').patch(`/realm/profile_fields/${id}`, { name: world.name() })
        : by(world, 'olga').delete(`/realm/profile_fields/${id}`),
    ),
  ),
]

/** What is changed for oneself and for everyone. */
export const settingCommands = [...personalCommands, ...organizationCommands] as const
