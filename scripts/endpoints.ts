/** Endpoints that belong together, and where their paths begin. */
export interface EndpointTopic {
  readonly title: string
  /** The endpoints that the topic is about, in their order; the others of the paths follow. */
  readonly first: readonly string[]
  /** How paths of the topic begin; a path belongs to the topic with its longest beginning. */
  readonly paths: readonly string[]
}

/** Every topic of the API. An operation whose path is in none is missing here. */
export const endpointTopics: readonly EndpointTopic[] = [
  {
    title: 'Scheduled messages and reminders',
    first: ['POST /scheduled_messages', 'PATCH /scheduled_messages/{scheduled_message_id}'],
    paths: ['/scheduled_messages', '/reminders'],
  },
  { title: 'Typing', first: ['POST /typing'], paths: ['/typing', '/messages/{message_id}/typing'] },
  {
    title: 'Events',
    first: ['GET /events', 'DELETE /events', 'POST /register'],
    paths: ['/events', '/register'],
  },
  {
    title: 'Settings of users',
    first: ['PATCH /realm/user_settings_defaults'],
    paths: ['/realm/user_settings_defaults', '/settings', '/accounts'],
  },
  {
    title: 'Users',
    first: ['PATCH /users/{email}'],
    paths: ['/users', '/users/me/profile_data', '/realm/profile_fields'],
  },
  {
    title: 'Presence and status',
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
    title: 'Logging in',
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
    title: 'Messages',
    first: ['GET /messages/{message_id}'],
    paths: ['/messages', '/submessage'],
  },
  {
    title: 'Flags of messages',
    first: ['POST /messages/flags/narrow', 'POST /messages/flags'],
    paths: ['/messages/flags', '/mark_'],
  },
  {
    title: 'Mobile notifications',
    first: ['POST /users/me/apns_device_token', 'POST /mobile_push/e2ee/test_notification'],
    paths: ['/users/me/apns_device_token', '/users/me/android_gcm_reg_id', '/mobile_push'],
  },
  {
    title: 'Reactions and emoji',
    first: ['DELETE /messages/{message_id}/reactions'],
    paths: ['/messages/{message_id}/reactions', '/realm/emoji', '/emoji_data.json'],
  },
  {
    title: 'User groups',
    first: [
      'POST /user_groups/{user_group_id}/members',
      'POST /user_groups/{user_group_id}/subgroups',
    ],
    paths: ['/user_groups'],
  },
  { title: 'Navigation views', first: ['POST /navigation_views'], paths: ['/navigation_views'] },
  {
    title: 'Saved snippets and drafts',
    first: ['PATCH /saved_snippets/{saved_snippet_id}'],
    paths: ['/saved_snippets', '/drafts'],
  },
  {
    title: 'Code playgrounds and linkifiers',
    first: ['POST /realm/playgrounds'],
    paths: ['/realm/playgrounds', '/realm/linkifiers', '/realm/filters'],
  },
  {
    title: 'Channels and topics',
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
    title: 'Alert words and muted users',
    first: [],
    paths: ['/users/me/alert_words', '/users/me/muted_users'],
  },
  { title: 'Bots', first: [], paths: ['/bots'] },
  {
    title: 'Files and pictures',
    first: [],
    paths: [
      '/user_uploads',
      '/attachments',
      '/users/me/avatar',
      '/realm/icon',
      '/realm/logo',
      '/user_avatars',
      '/avatar',
      '/thumbnail',
    ],
  },
  { title: 'The organization', first: [], paths: ['/realm', '/invites', '/export', '/calls'] },
]
