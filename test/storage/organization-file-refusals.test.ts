import assert from 'node:assert/strict'
import { it } from 'node:test'

import { systemBots } from '../../packages/core/src/domain/users/system-bots.js'
import { everyDatabase } from '../support/host.js'
import { owner, problemsOf } from '../support/organization-file.js'
import { pngOf } from '../support/uploads.js'

everyDatabase('an invalid organization file', 'koa', (at) => {
  it('is rejected completely, with every error of its shape', async () => {
    const problems = await problemsOf(at.host, {
      organization: { subdomain: 'shape' },
      users: [{ id: 'one', email: 'a@b.example', full_name: 'A B', role: 150 }],
      surprise: true,
      linkifiers: [null],
      next_ids: { linkifiers: 5 },
    })

    const text = problems.join('\n')
    assert.match(text, /\/organization: must have required property 'name'/)
    assert.match(text, /\/users\/0\/id: must be integer/)
    assert.match(text, /\/users\/0\/role: must be one of 100, 200, 300, 400, 600/)
    assert.match(text, /^\/: has no key 'surprise'/m)
    assert.match(text, /\/linkifiers\/0: must be object/)
  })

  it('is rejected with every dangling reference, duplicate name, and unknown setting', async () => {
    const problems = await problemsOf(at.host, {
      organization: {
        name: 'Wrong',
        subdomain: 'wrong',
        settings: {
          waiting_period_threshold: 'long',
          can_create_groups: 'people',
          extra: 1,
          message_retention_days: 0,
        },
      },
      users: [owner, { ...owner, settings: { color_scheme: 9, nothing: true } }],
      bots: [{ id: 9002, email: 'bot@files.example', full_name: 'Bot', owner_id: 1 }],
      groups: [{ id: 5, name: 'g', members: [2], subgroups: ['role:all'] }],
      channels: [{ id: 5, name: 'c', subscribers: [3], message_retention_days: 0 }],
      messages: [
        { sender_id: 9001, content: 'nowhere' },
        { sender_id: 9001, channel_id: 6, topic: 't', content: 'x' },
      ],
    })

    assert.deepEqual(problems, [
      "/organization/settings: has no key 'extra'",
      '/organization/settings/waiting_period_threshold: must be integer',
      '/organization/settings/can_create_groups: group people is not in the file',
      '/organization/settings/message_retention_days: must be -1 or a number of days',
      '/users/1/id: 9001 is used twice',
      '/users/1/email: own@files.example is used twice',
      '/users/1/settings/color_scheme: must be one of 1, 2, 3',
      '/users/1/settings/nothing: is not a setting',
      '/bots/0/owner_id: user 1 is not in the file',
      '/groups/0/members/0: user 2 is not in the file',
      '/groups/0/subgroups/0: group role:all is not in the file',
      '/channels/0/subscribers/0: user 3 is not in the file',
      '/channels/0/message_retention_days: must be -1 or a number of days',
      '/messages/0: needs either channel_id or to',
      '/messages/1/channel_id: channel 6 is not in the file',
    ])
  })

  it('is rejected with cycles, duplicates in another case, and values out of bounds', async () => {
    const pixel = 'iVBORw0KGgo='
    const huge = pngOf(1, 1)
    huge.writeUInt32BE(100_000_001, 16)
    const problems = await problemsOf(at.host, {
      organization: {
        name: 'Bounds',
        subdomain: 'bounds',
        settings: {
          can_access_all_users_group: 'a',
          can_manage_all_groups: 'role:nobody',
          can_create_groups: { direct_members: [77], direct_subgroups: ['role:none'] },
          signup_announcements_stream_id: 4,
        },
        user_settings_defaults: { enable_login_emails: true, color_scheme: 9 },
      },
      users: [
        owner,
        { ...owner, id: 9002, email: 'OWN@files.example', full_name: 'A*b' },
        { ...owner, id: 9003, email: 'a\u202E@files.example' },
      ],
      groups: [
        { id: 1, name: 'a', subgroups: ['b'] },
        { id: 2, name: 'b', subgroups: [1] },
        { id: 3, name: 'role:owners', members: [9001] },
        { id: 4, name: '@here' },
      ],
      channels: [
        { id: 5, name: 'Deck', is_default: true, privacy: 'private' },
        { id: 6, name: 'deck', settings: { can_subscribe_group: 'role:everyone' } },
      ],
      subscriptions: [
        { user_id: 9001, channel_id: 5, color: 'red' },
        { user_id: 9001, channel_id: 9 },
      ],
      messages: [{ id: 8, sender_id: 9001, channel_id: 5, topic: 'a\nb', content: ' ' }],
      custom_emoji: [
        { id: 1, name: 'Shout!', image: pixel },
        { id: 2, name: 'half', image: pngOf(2, 2).subarray(0, 50).toString('base64') },
        { id: 3, name: 'huge', image: huge.toString('base64') },
      ],
      linkifiers: [{ pattern: '#(?P<id>[0-9]+)', url_template: 'https://t.example/{other}' }],
      playgrounds: [{ name: 'p', pygments_language: 'Rust', url_template: 'https://r.example/' }],
      alert_words: [{ user_id: 9001, words: ['Sail', ' sail'] }],
      muted_users: [{ user_id: 9001, muted_user_id: 9001 }],
      user_topics: [
        { user_id: 9001, channel_id: 5, topic: 'Oars', policy: 'muted' },
        { user_id: 9001, channel_id: 5, topic: 'oars', policy: 'followed' },
      ],
      user_statuses: [{ user_id: 9001, emoji_name: 'nothing_like_it' }],
      reactions: [
        { message_id: 8, user_id: 9001, emoji_name: 'tada' },
        { message_id: 8, user_id: 9001, emoji_name: 'tada' },
        { message_id: 7, user_id: 9001, emoji_name: 'tada' },
      ],
      drafts: [{ user_id: 9001, type: 'stream', to: [], topic: '', content: 'x' }],
      saved_snippets: [{ user_id: 9001, title: ' ', content: 'x' }],
      navigation_views: [{ user_id: 9001, fragment: 'inbox', is_pinned: true, name: 'Mine' }],
      scheduled_messages: [{ user_id: 9001, content: 'x', deliver_at_seconds: 1 }],
      next_ids: { messages: 8 },
    })

    assert.deepEqual(problems, [
      '/subscriptions/0/color: must match pattern "^#[0-9a-f]{6}$"',
      '/organization/settings/can_access_all_users_group: must be a system group',
      '/organization/settings/can_manage_all_groups: cannot be role:nobody',
      '/organization/settings/can_create_groups/direct_members/0: user 77 is not in the file',
      '/organization/settings/can_create_groups/direct_subgroups/0: group role:none is not in the file',
      '/organization/settings/signup_announcements_stream_id: channel 4 is not in the file',
      '/organization/user_settings_defaults/color_scheme: must be one of 1, 2, 3',
      "/organization/user_settings_defaults/enable_login_emails: is everybody's own",
      '/users/1/email: OWN@files.example is used twice',
      '/users/1/full_name: Invalid characters in name!',
      '/users/2/email: is no e-mail address',
      '/groups/2: only the id of a system group is given',
      "/groups/3/name: User group name cannot start with '@'.",
      '/groups/0/subgroups: the groups contain each other: a > b > a',
      '/channels/0/is_default: a default channel cannot be private',
      '/channels/1/name: deck is used twice',
      '/channels/1/settings/can_subscribe_group: cannot be role:everyone',
      '/subscriptions/1/channel_id: channel 9 is not in the file',
      '/messages/0/topic: Invalid character in topic, at position 2!',
      '/messages/0/content: Message must not be empty',
      '/user_topics/1/topic: oars is used twice',
      '/alert_words/0/words/1: sail is used twice',
      '/custom_emoji/0/name: Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
      '/custom_emoji/0/image: is no image',
      '/custom_emoji/1/image: is damaged, or not all of an image',
      '/custom_emoji/2/image: has more than a hundred million pixels',
      "/linkifiers/0: Group 'other' in URL template is not present in linkifier pattern.",
      '/playgrounds/0: Missing the required variable "code" in the URL template',
      '/reactions/1/emoji_name: tada is used twice',
      '/reactions/2/message_id: message 7 is not in the file',
      '/drafts/0: Must specify exactly 1 channel ID for channel messages',
      '/muted_users/0/muted_user_id: is the user themselves',
      '/navigation_views/0: Built-in views cannot have a custom name.',
      '/saved_snippets/0/title: cannot be blank',
      '/scheduled_messages/0: needs either channel_id or to',
      "/user_statuses/0/emoji_name: there is no emoji 'nothing_like_it'",
      '/next_ids/messages: 8 is in use already',
    ])
  })

  it('is rejected with settings that `PATCH /realm` would reject', async () => {
    const problems = await problemsOf(at.host, {
      organization: {
        name: ' ',
        subdomain: 'No Host',
        created_at_seconds: 1_700_000_000_000,
        settings: {
          waiting_period_threshold: -1,
          message_content_edit_limit_seconds: 0,
          move_messages_within_stream_limit_seconds: null,
          video_chat_provider: 7,
          digest_weekday: 7,
          topics_policy: 'any',
          description: 'x'.repeat(1001),
          jitsi_server_url: 'nowhere',
          disabled_authentication_methods: null,
          moderation_request_channel_id: 5,
          can_create_groups: { direct_members: 'everyone' },
        },
      },
      users: [owner],
      channels: [{ id: 5, name: 'deck' }],
    })

    const of = (name: string, problem: string): string =>
      `/organization/settings/${name}: ${problem}`
    assert.deepEqual(problems, [
      '/organization/name: must match pattern "\\S"',
      '/organization/created_at_seconds: must be <= 253402300799',
      of('description', 'must NOT have more than 1000 characters'),
      of('message_content_edit_limit_seconds', 'has none of the possible values'),
      of('topics_policy', 'must be one of allow_empty_topic, disable_empty_topic'),
      of('waiting_period_threshold', 'must be >= 0'),
      of('digest_weekday', 'must be one of 0, 1, 2, 3, 4, 5, 6'),
      of('video_chat_provider', 'must be one of 0, 1, 4'),
      of('disabled_authentication_methods', 'must be array'),
      of('can_create_groups', 'has none of the possible values'),
      "/organization/subdomain: Subdomain can only have lowercase letters, numbers, and '-'s.",
      of('jitsi_server_url', 'jitsi_server_url is not an allowed_type'),
      of('moderation_request_channel_id', 'Moderation request channel must be private.'),
    ])
  })

  it('is rejected with names that would be equal after trimming', async () => {
    const problems = await problemsOf(at.host, {
      organization: { name: 'Trimmed', subdomain: 'trimmed' },
      users: [owner],
      channels: [
        { id: 5, name: 'deck' },
        { id: 6, name: 'Deck ' },
      ],
      playgrounds: [
        { name: 'b/c', pygments_language: 'a', url_template: 'https://r.example/{code}' },
        { name: 'c', pygments_language: 'a/b', url_template: 'https://r.example/{code}' },
        { name: ' c', pygments_language: 'a/b ', url_template: 'https://r.example/{code}' },
        { name: ' ', pygments_language: 'C', url_template: 'https://r.example/{code}' },
        { name: 'd', pygments_language: 'D', url_template: 'javascript:f({code})' },
      ],
      linkifiers: [{ pattern: 'L(?P<id>[0-9]+)', url_template: 'Data:text/html,{id}' }],
      navigation_views: [
        { user_id: 9001, fragment: 'inbox', is_pinned: true },
        { user_id: 9001, fragment: ' inbox', is_pinned: true },
        { user_id: 9001, fragment: ' ', is_pinned: true },
        { user_id: 9001, fragment: 'a\u0001b', is_pinned: true, name: 'Nul' },
      ],
    })

    assert.deepEqual(problems, [
      '/navigation_views/2/fragment: must match pattern "\\S"',
      '/channels/1/name: Deck is used twice',
      '/linkifiers/0: Invalid URL template.',
      '/playgrounds/2/name: c is used twice',
      '/playgrounds/3: This field cannot be blank.',
      '/playgrounds/4: Invalid URL template.',
      '/navigation_views/1/fragment: inbox is used twice',
      '/navigation_views/3: Invalid character in fragment, at position 2.',
    ])
  })

  it('is rejected with a cycle of any size', async () => {
    const size = 20_000
    const problems = await problemsOf(at.host, {
      organization: { name: 'Deep', subdomain: 'deep' },
      users: [owner],
      groups: Array.from({ length: size }, (_, index) => ({
        id: 1 + index,
        name: `g${index}`,
        subgroups: [1 + ((index + 1) % size)],
      })),
    })

    assert.equal(problems.length, 1)
    assert.match(
      problems[0] ?? '',
      /^\/groups\/0\/subgroups: the groups contain each other: g0 > g1 > .* > g0$/,
    )
  })

  it('is rejected if it replaces a system bot, or sends messages as one', async () => {
    const problems = await problemsOf(at.host, {
      organization: { name: 'Bots', subdomain: 'bots' },
      users: [
        owner,
        { ...owner, id: systemBots.notification.id, email: 'a@files.example' },
        { ...owner, id: 9002, email: 'Welcome-Bot@zulip.com' },
      ],
      bots: [
        { id: systemBots.welcome.id, email: 'b@files.example', full_name: 'B', owner_id: null },
      ],
      messages: [
        { sender_id: systemBots.emailGateway.id, to: [9001], content: 'x' },
        { sender_id: 9001, to: [systemBots.emailGateway.id], content: 'x' },
      ],
      next_ids: { users: systemBots.notification.id },
    })

    assert.deepEqual(problems, [
      '/next_ids/users: must be <= 2147483000',
      '/users/1/id: must be <= 2147483000',
      '/bots/0/id: must be <= 2147483000',
      '/bots/0/full_name: must NOT have fewer than 2 characters',
      `/users/2/email: is that of one of the server's own bots`,
      '/messages/0/sender_id: user 2147483003 is not in the file',
      '/messages/1/to/0: user 2147483003 is not in the file',
    ])
  })

  it('is rejected with invalid fields, folders, domains, bots and reminders', async () => {
    const field = { id: 1, type: 1, name: 'Rank' }
    const problems = await problemsOf(at.host, {
      organization: { name: 'Newer', subdomain: 'newer' },
      users: [
        { ...owner, profile_data: { 1: 'x'.repeat(51), 3: 'late', 4: [9002], 9: 'x' } },
        { id: 9003, email: 'c@files.example', full_name: 'Cid', profile_data: { name: 'x' } },
      ],
      bots: [
        {
          id: 9002,
          email: 'bot@files.example',
          full_name: 'Bot',
          owner_id: 9001,
          default_sending_channel_id: 8,
          service: { base_url: 'nowhere' },
        },
      ],
      channels: [{ id: 5, name: 'deck', folder_id: 7 }],
      messages: [{ id: 8, sender_id: 9001, channel_id: 5, topic: 't', content: 'x' }],
      realm_domains: [{ domain: 'nodot' }, { domain: 'a.example' }, { domain: 'A.example' }],
      profile_fields: [
        field,
        { ...field, id: 2, hint: 'x'.repeat(81) },
        { id: 3, type: 4, name: 'Born' },
        { id: 4, type: 6, name: 'Mates' },
        { id: 4, type: 3, name: 'Ship' },
        { id: 6, type: 9, name: 'Kind' },
      ],
      channel_folders: [
        { id: 1, name: 'Afloat', creator_id: 4 },
        { id: 1, name: 'afloat' },
        { id: 2, name: ' ' },
      ],
      submessages: [{ message_id: 7, sender_id: 9001, content: 'no json' }],
      reminders: [
        { id: 1, user_id: 9001, message_id: 8, deliver_at_seconds: 1, note: 'x'.repeat(1001) },
        { id: 1, user_id: 9004, message_id: 9, deliver_at_seconds: 1 },
      ],
      next_ids: { profile_fields: 6, channel_folders: 2, reminders: 1 },
    })

    assert.deepEqual(problems, [
      "/users/1/profile_data: has no key 'name'",
      '/bots/0/default_sending_channel_id: channel 8 is not in the file',
      '/bots/0/service: only outgoing webhook bots have one',
      '/bots/0/service/base_url: Invalid base_url: Value error, Not a URL',
      '/channels/0/folder_id: folder 7 is not in the file',
      '/realm_domains/0/domain: Invalid domain: Domain must have at least one dot (.)',
      '/realm_domains/2/domain: a.example is used twice',
      '/channel_folders/0/creator_id: user 4 is not in the file',
      '/channel_folders/1/id: 1 is used twice',
      '/channel_folders/1/name: afloat is used twice',
      "/channel_folders/2/name: Channel folder name can't be empty.",
      '/profile_fields/1: hint is too long (limit: 80 characters)',
      '/profile_fields/4/id: 4 is used twice',
      '/profile_fields/4: Field must have at least one choice.',
      '/profile_fields/5: Invalid field type.',
      '/users/0/profile_data/1: Rank is too long (limit: 50 characters)',
      '/users/0/profile_data/3: Born is not a date',
      '/users/0/profile_data/4: User with ID 9002 is a bot',
      '/users/0/profile_data/9: field 9 is not in the file',
      '/submessages/0/message_id: message 7 is not in the file',
      '/submessages/0/content: Invalid json for submessage',
      '/reminders/0/note: Maximum reminder note length: 1000 characters',
      '/reminders/1/id: 1 is used twice',
      '/reminders/1/user_id: user 9004 is not in the file',
      '/reminders/1/message_id: message 9 is not in the file',
      '/next_ids/channel_folders: 2 is in use already',
      '/next_ids/profile_fields: 6 is in use already',
      '/next_ids/reminders: 1 is in use already',
    ])
  })
})
