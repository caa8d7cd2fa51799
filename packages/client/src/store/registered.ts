import type { RegisterQueueParams, Registration } from '../api.js'
import type { ConnectionState } from '../connection-events.js'
import { channelOf, subscriptionOf } from './channels.js'
import type { LiveState } from './reducer.js'
import {
  directKey,
  foldTopic,
  type ChannelState,
  type OrganizationState,
  type OwnUser,
  type Presence,
  type User,
  type UserStatus,
} from './state.js'
import { counted } from './unread-counts.js'
import { nothingUnread, unreadOf } from './unread.js'
import { statusOf } from './users.js'

/** The data that the store asks for: everything that it keeps, and the events about that. */
export const storeRegistration: RegisterQueueParams = {
  event_types: [
    'alert_words',
    'channel_folder',
    'custom_profile_fields',
    'default_streams',
    'delete_message',
    'drafts',
    'message',
    'muted_users',
    'presence',
    'reaction',
    'realm',
    'realm_emoji',
    'realm_linkifiers',
    'realm_user',
    'reminders',
    'saved_snippets',
    'scheduled_messages',
    'stream',
    'submessage',
    'subscription',
    'typing',
    'update_message',
    'update_message_flags',
    'user_group',
    'user_settings',
    'user_status',
    'user_topic',
  ],
  fetch_event_types: [
    'alert_words',
    'channel_folders',
    'custom_profile_fields',
    'default_streams',
    'drafts',
    'message',
    'muted_users',
    'presence',
    'realm',
    'realm_emoji',
    'realm_linkifiers',
    'realm_user',
    'realm_user_groups',
    'recent_private_conversations',
    'reminders',
    'saved_snippets',
    'scheduled_messages',
    'starred_messages',
    'subscription',
    'update_message_flags',
    'user_settings',
    'user_status',
    'user_topic',
  ],
  apply_markdown: true,
  client_gravatar: false,
  slim_presence: true,
  include_subscribers: true,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: true,
    user_settings_object: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    simplified_presence_events: true,
  },
}

/** The data that visitors without an account ask for: they get no events, and nothing personal. */
export const visitorRegistration: RegisterQueueParams = {
  fetch_event_types: [
    'channel_folders',
    'realm',
    'realm_emoji',
    'realm_linkifiers',
    'realm_user',
    'realm_user_groups',
    'subscription',
    'user_settings',
  ],
  apply_markdown: true,
  client_gravatar: false,
}

/** Parts of their own, times, and older forms of settings that no event contains. */
const otherKeys: ReadonlySet<string> = new Set([
  'max_message_id',
  'realm_create_private_stream_policy',
  'realm_create_public_stream_policy',
  'realm_create_web_public_stream_policy',
  'realm_emoji',
  'realm_linkifiers',
  'realm_non_active_users',
  'realm_user_groups',
  'realm_users',
  'realm_wildcard_mention_policy',
  'server_timestamp',
])

function organizationOf(registration: Registration): OrganizationState {
  return Object.fromEntries(
    Object.entries(registration).filter(
      ([name]) => /^(realm|server|max)_/.test(name) && !otherKeys.has(name),
    ),
  )
}

/** The state of a client without a registration. */
export function emptyState(connection: ConnectionState): LiveState {
  return {
    connection,
    isRegistered: false,
    organization: {},
    me: {
      user_id: 0,
      email: '',
      delivery_email: '',
      full_name: '',
      avatar_source: '',
      avatar_url: '',
      avatar_url_medium: '',
      is_owner: false,
      is_admin: false,
      is_moderator: false,
      is_guest: false,
      alert_words: [],
      // Nobody has settings before there is a user.
      user_settings: {} as OwnUser['user_settings'],
    },
    users: new Map(),
    statuses: new Map(),
    presence: new Map(),
    groups: new Map(),
    channels: new Map(),
    folders: new Map(),
    emoji: new Map(),
    linkifiers: [],
    profileFields: [],
    topicPolicies: new Map(),
    messages: new Map(),
    unread: nothingUnread,
    unreadMentions: new Map(),
    starred: new Set(),
    directConversations: new Map(),
    typing: new Map(),
    drafts: new Map(),
    scheduledMessages: new Map(),
    reminders: new Map(),
    savedSnippets: new Map(),
    mutedUsers: new Map(),
  }
}

function byKey<Key, Item>(items: readonly Item[] = [], keyOf: (item: Item) => Key): Map<Key, Item> {
  return new Map(items.map((item) => [keyOf(item), item]))
}

function byIdText<Item>(items: Readonly<Record<string, Item>> = {}): Map<number, Item> {
  return new Map(Object.entries(items).map(([id, item]) => [Number(id), item]))
}

function usersOf(registration: Registration): Map<number, User> {
  const { realm_users = [], realm_non_active_users = [], cross_realm_bots = [] } = registration
  const users = [
    ...realm_users.map((user) => ({ ...user, is_active: true })),
    ...realm_non_active_users.map((user) => ({ ...user, is_active: false })),
    ...cross_realm_bots.map((bot) => ({ ...bot, is_active: true })),
  ]
  return byKey(users, ({ user_id }) => user_id)
}

function channelsOf(registration: Registration): Map<number, ChannelState> {
  const { subscriptions = [], unsubscribed = [], never_subscribed = [] } = registration
  const channels = [
    ...subscriptions.map((channel) => channelOf(channel, subscriptionOf(channel))),
    ...unsubscribed.map((channel) => channelOf(channel)),
    ...never_subscribed.map((channel) => channelOf(channel)),
  ]
  return byKey(channels, ({ stream_id }) => stream_id)
}

function policiesOf({ user_topics = [] }: Registration): Map<number, Map<string, number>> {
  const policies = new Map<number, Map<string, number>>()
  for (const { stream_id, topic_name, visibility_policy } of user_topics) {
    const topics = policies.get(stream_id) ?? new Map<string, number>()
    policies.set(stream_id, topics.set(foldTopic(topic_name), visibility_policy))
  }
  return policies
}

function statusesOf({ user_status = {} }: Registration): Map<number, UserStatus> {
  const statuses = new Map<number, UserStatus>()
  for (const [id, wire] of Object.entries(user_status)) {
    const status = statusOf(wire)
    if (status !== undefined) statuses.set(Number(id), status)
  }
  return statuses
}

/** The state that a registration describes. */
export function stateOf(registration: Registration, connection: ConnectionState): LiveState {
  const empty = emptyState(connection)
  const { me } = empty
  const { user_id = 0, presences, recent_private_conversations = [] } = registration
  const state: LiveState = {
    ...empty,
    isRegistered: true,
    organization: organizationOf(registration),
    me: {
      user_id,
      email: registration.email ?? me.email,
      delivery_email: registration.delivery_email ?? me.delivery_email,
      full_name: registration.full_name ?? me.full_name,
      avatar_source: registration.avatar_source ?? me.avatar_source,
      avatar_url: registration.avatar_url ?? me.avatar_url,
      avatar_url_medium: registration.avatar_url_medium ?? me.avatar_url_medium,
      is_owner: registration.is_owner ?? false,
      is_admin: registration.is_admin ?? false,
      is_moderator: registration.is_moderator ?? false,
      is_guest: registration.is_guest ?? false,
      alert_words: registration.alert_words ?? [],
      user_settings: registration.user_settings ?? me.user_settings,
    },
    users: usersOf(registration),
    statuses: statusesOf(registration),
    // With `slim_presence`, they have this form.
    presence: byIdText(presences as Readonly<Record<string, Presence>> | undefined),
    groups: byKey(registration.realm_user_groups, ({ id }) => id),
    channels: channelsOf(registration),
    folders: byKey(registration.channel_folders, ({ id }) => id),
    emoji: new Map(Object.entries(registration.realm_emoji ?? {})),
    linkifiers: registration.realm_linkifiers ?? [],
    profileFields: registration.custom_profile_fields ?? [],
    topicPolicies: policiesOf(registration),
    ...unreadOf(registration),
    starred: new Set(registration.starred_messages),
    directConversations: new Map(
      recent_private_conversations.map(({ user_ids, max_message_id }) => [
        directKey(user_ids, user_id),
        max_message_id,
      ]),
    ),
    drafts: byKey(registration.drafts, ({ id }) => id),
    scheduledMessages: byKey(
      registration.scheduled_messages,
      ({ scheduled_message_id }) => scheduled_message_id,
    ),
    reminders: byKey(registration.reminders, ({ reminder_id }) => reminder_id),
    savedSnippets: byKey(registration.saved_snippets, ({ id }) => id),
    mutedUsers: new Map(registration.muted_users?.map(({ id, timestamp }) => [id, timestamp])),
  }
  return { ...state, unread: counted(state) }
}
