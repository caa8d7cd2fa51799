/** Operations that belong together: a tag of the OpenAPI document and a section of the docs. */
export interface ApiTopic {
  readonly title: string
  readonly description: string
  /** The main endpoints of the topic, in order; its other endpoints follow. */
  readonly first: readonly string[]
  /** Path prefixes. An operation belongs to the topic with the longest matching prefix. */
  readonly paths: readonly string[]
}

/** Every topic of the API, in the order of the documentation. Every operation must match a prefix of one of them. */
export const apiTopics: readonly ApiTopic[] = [
  {
    title: 'Logging in',
    description: 'API keys, what the server offers before a login, and this API description.',
    first: ['POST /fetch_api_key', 'POST /dev_fetch_api_key'],
    paths: [
      '/fetch_api_key',
      '/dev_',
      '/jwt',
      '/sign_on',
      '/server_settings',
      '/users/me/api_key',
      '/openapi.json',
    ],
  },
  {
    title: 'Events',
    description:
      'Event queues: registering one with the current state, reading its events, deleting it.',
    first: ['GET /events', 'DELETE /events', 'POST /register'],
    paths: ['/events', '/register'],
  },
  {
    title: 'Messages',
    description: 'Sending, reading, searching, editing, moving and deleting messages.',
    first: ['GET /messages/{message_id}'],
    paths: ['/messages', '/submessage'],
  },
  {
    title: 'Flags of messages',
    description: 'Personal flags such as `read` and `starred`.',
    first: ['POST /messages/flags/narrow', 'POST /messages/flags'],
    paths: ['/messages/flags', '/mark_'],
  },
  {
    title: 'Reactions and emoji',
    description: 'Reactions to messages, and the custom emoji of the organization.',
    first: ['DELETE /messages/{message_id}/reactions'],
    paths: ['/messages/{message_id}/reactions', '/realm/emoji', '/emoji_data.json'],
  },
  {
    title: 'Typing',
    description: 'Notifications that a user is typing.',
    first: ['POST /typing'],
    paths: ['/typing', '/messages/{message_id}/typing'],
  },
  {
    title: 'Saved snippets and drafts',
    description: 'Texts that users keep for later.',
    first: ['PATCH /saved_snippets/{saved_snippet_id}'],
    paths: ['/saved_snippets', '/drafts'],
  },
  {
    title: 'Scheduled messages and reminders',
    description: 'Messages that are sent later, and reminders of messages.',
    first: ['POST /scheduled_messages', 'PATCH /scheduled_messages/{scheduled_message_id}'],
    paths: ['/scheduled_messages', '/reminders'],
  },
  {
    title: 'Channels and topics',
    description: 'Channels, channel folders, subscriptions, topics and their settings.',
    first: [],
    paths: [
      '/streams',
      '/channels',
      '/channel_folders',
      '/default_streams',
      '/get_stream_id',
      '/user_topics',
      '/users/me/subscriptions',
      '/users/{user_id}/subscriptions',
      '/users/me/{stream_id}/topics',
    ],
  },
  {
    title: 'Users',
    description: 'Accounts and profiles, and the profile fields of the organization.',
    first: ['PATCH /users/{email}'],
    paths: ['/users', '/users/me/profile_data', '/realm/profile_fields'],
  },
  {
    title: 'Settings of users',
    description: "A user's own settings, and the default settings of new users.",
    first: ['PATCH /realm/user_settings_defaults'],
    paths: ['/realm/user_settings_defaults', '/settings', '/accounts', '/mail_notifications'],
  },
  {
    title: 'Presence and status',
    description: 'Which users are active, and the statuses that users set.',
    first: ['POST /users/me/presence'],
    paths: [
      '/users/me/presence',
      '/users/{user_id_or_email}/presence',
      '/realm/presence',
      '/users/me/status',
      '/users/{user_id}/status',
    ],
  },
  {
    title: 'Alert words and muted users',
    description: 'Words that alert a user, and users whose messages are hidden.',
    first: [],
    paths: ['/users/me/alert_words', '/users/me/muted_users'],
  },
  {
    title: 'User groups',
    description: 'Groups of users, their members and their permissions.',
    first: [
      'POST /user_groups/{user_group_id}/members',
      'POST /user_groups/{user_group_id}/subgroups',
    ],
    paths: ['/user_groups'],
  },
  {
    title: 'Bots',
    description: 'Bots, their API keys, and incoming webhooks.',
    first: [],
    paths: ['/bots', '/external'],
  },
  {
    title: 'Files and pictures',
    description:
      "Uploads, attachments, avatars, the organization's images and content of other hosts.",
    first: [],
    paths: [
      '/user_uploads',
      '/attachments',
      '/users/me/avatar',
      '/realm/icon',
      '/realm/logo',
      '/user_avatars',
      '/external_content',
      '/avatar',
      '/thumbnail',
    ],
  },
  {
    title: 'Mobile notifications',
    description: 'Registering devices for push notifications.',
    first: ['POST /users/me/apns_device_token', 'POST /mobile_push/e2ee/test_notification'],
    paths: ['/users/me/apns_device_token', '/users/me/android_gcm_reg_id', '/mobile_push'],
  },
  {
    title: 'Navigation views',
    description: 'Which views the navigation of a client shows.',
    first: ['POST /navigation_views'],
    paths: ['/navigation_views'],
  },
  {
    title: 'The organization',
    description: 'Settings, domains, lifecycle and audit trail of the organization.',
    first: [],
    paths: ['/realm', '/audit_log', '/export', '/calls'],
  },
  {
    title: 'Invitations',
    description:
      'Inviting people by e-mail and with reusable links, and the page on which they sign up.',
    first: ['POST /invites', 'POST /invites/multiuse'],
    paths: ['/invites', '/accounts/join'],
  },
  {
    title: 'Code playgrounds and linkifiers',
    description: 'Links from code blocks and from patterns in messages.',
    first: ['POST /realm/playgrounds'],
    paths: ['/realm/playgrounds', '/realm/linkifiers', '/realm/filters'],
  },
]

/** The name of a topic as a group of operations: `user-groups` for "User groups". */
export function groupNameOf({ title }: Pick<ApiTopic, 'title'>): string {
  return title
    .toLowerCase()
    .replace(/^the /, '')
    .replaceAll(/[^a-z]+/g, '-')
}

/** Returns the topic with the longest prefix of the operation's path. */
export function topicOf({ path }: { readonly path: string }): ApiTopic | undefined {
  const lengthIn = ({ paths }: ApiTopic): number =>
    Math.max(0, ...paths.filter((start) => path.startsWith(start)).map(({ length }) => length))
  const longest = Math.max(...apiTopics.map(lengthIn))
  return longest === 0 ? undefined : apiTopics.find((topic) => lengthIn(topic) === longest)
}
