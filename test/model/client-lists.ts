import { put, take, type Item, type Reducer } from './client-answer.js'

/** A reducer for an event that carries the whole new value of a key. */
const whole =
  (key: string, field = key): Reducer =>
  (state, event) => {
    state[key] = event[field]
  }

/** Settings of the organization have other names in the response. */
const setRealm = (state: Item, property: string, value: unknown): void => {
  state[`realm_${property}`] = value
  // The default language also applies to new users.
  if (property === 'default_language') {
    state['realm_user_settings_defaults']['default_language'] = value
  }
}

const samePlace = (a: Item, b: Item): boolean =>
  a['stream_id'] === b['stream_id'] &&
  a['topic_name'].toLowerCase() === b['topic_name'].toLowerCase()

const userTopic: Reducer = (state, event) => {
  const { stream_id, topic_name, last_updated, visibility_policy } = event
  const topic = { stream_id, topic_name, last_updated, visibility_policy }
  const others = (state['user_topics'] as Item[]).filter((other) => !samePlace(other, topic))
  state['user_topics'] = visibility_policy === 0 ? others : [...others, topic]
}

export const listReducers: Readonly<Record<string, Reducer>> = {
  alert_words: whole('alert_words'),
  muted_users: whole('muted_users'),
  muted_topics: whole('muted_topics'),
  user_topic: userTopic,
  'realm_emoji/update': whole('realm_emoji'),
  realm_linkifiers: whole('realm_linkifiers'),
  realm_playgrounds: whole('realm_playgrounds'),
  'drafts/add': (state, { drafts }) => {
    for (const draft of drafts) put(state['drafts'], 'id', draft)
  },
  'drafts/update': (state, { draft }) => put(state['drafts'], 'id', draft),
  'drafts/remove': (state, { draft_id }) => void take(state['drafts'], 'id', draft_id),
  'saved_snippets/add': (state, { saved_snippet }) =>
    put(state['saved_snippets'], 'id', saved_snippet),
  'saved_snippets/update': (state, { saved_snippet }) =>
    put(state['saved_snippets'], 'id', saved_snippet),
  'saved_snippets/remove': (state, { saved_snippet_id }) =>
    void take(state['saved_snippets'], 'id', saved_snippet_id),
  'navigation_view/add': (state, { navigation_view }) =>
    put(state['navigation_views'], 'fragment', navigation_view),
  'navigation_view/update': (state, { fragment, data }) => {
    const views = state['navigation_views'] as Item[]
    Object.assign(views.find((view) => view['fragment'] === fragment) ?? {}, data)
  },
  'navigation_view/remove': (state, { fragment }) =>
    void take(state['navigation_views'], 'fragment', fragment),
  'scheduled_messages/add': (state, { scheduled_messages }) => {
    for (const message of scheduled_messages) {
      put(state['scheduled_messages'], 'scheduled_message_id', message)
    }
  },
  'scheduled_messages/update': (state, { scheduled_message }) =>
    put(state['scheduled_messages'], 'scheduled_message_id', scheduled_message),
  'scheduled_messages/remove': (state, { scheduled_message_id }) =>
    void take(state['scheduled_messages'], 'scheduled_message_id', scheduled_message_id),
  'reminders/add': (state, { reminders }) => {
    for (const reminder of reminders) put(state['reminders'], 'reminder_id', reminder)
  },
  'reminders/remove': (state, { reminder_id }) =>
    void take(state['reminders'], 'reminder_id', reminder_id),
  'realm_domains/add': (state, { realm_domain }) =>
    put(state['realm_domains'], 'domain', realm_domain),
  'realm_domains/change': (state, { realm_domain }) =>
    put(state['realm_domains'], 'domain', realm_domain),
  'realm_domains/remove': (state, { domain }) =>
    void take(state['realm_domains'], 'domain', domain),
  'channel_folder/add': (state, { channel_folder }) =>
    put(state['channel_folders'], 'id', channel_folder),
  'channel_folder/update': (state, { channel_folder_id, data }) => {
    const folders = state['channel_folders'] as Item[]
    Object.assign(folders.find(({ id }) => id === channel_folder_id) ?? {}, data)
  },
  'channel_folder/reorder': (state, { order }) => {
    for (const folder of state['channel_folders'] as Item[]) {
      folder['order'] = order.indexOf(folder['id'])
    }
  },
  'realm/update': (state, { property, value }) => setRealm(state, property, value),
  'realm/update_dict': (state, { data }) => {
    for (const [property, value] of Object.entries(data)) setRealm(state, property, value)
  },
  'user_settings/update': (state, { property, value }) => {
    state['user_settings'][property] = value
    // Drafts are deleted without an event when their synchronization is disabled.
    if (property === 'enable_drafts_synchronization' && value === false) state['drafts'] = []
  },
  update_display_settings: (state, { setting_name, setting }) => {
    state[setting_name] = setting
  },
  update_global_notifications: (state, { notification_name, setting }) => {
    state[notification_name] = setting
  },
  'realm_user_settings_defaults/update': (state, { property, value }) => {
    state['realm_user_settings_defaults'][property] = value
  },
}
