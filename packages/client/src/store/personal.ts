import {
  Changes,
  withItems,
  withoutEntry,
  type LiveState,
  type Reducer,
  type Reducers,
} from './reducer.js'
import type { TypingStartEvent, TypingStopEvent, UserTopicEvent } from '@parley/wire/events'
import { directKey, foldTopic, topicKey } from './state.js'

const policySet: Reducer<UserTopicEvent> = ({ topicPolicies }, event, changes) => {
  const { stream_id, topic_name, visibility_policy } = event
  const topics = changes.map(topicPolicies.get(stream_id) ?? new Map<string, number>())
  if (visibility_policy === 0) topics.delete(foldTopic(topic_name))
  else topics.set(foldTopic(topic_name), visibility_policy)
  if (topics.size === 0) return { topicPolicies: withoutEntry(topicPolicies, stream_id, changes) }
  return { topicPolicies: changes.map(topicPolicies).set(stream_id, topics) }
}

type Typing = LiveState['typing']

/** Used where the server names none. */
const usualExpiryMilliseconds = 45_000

/** After how many milliseconds a sign that a user is typing expires. */
export function expiryOf({ organization }: LiveState): number {
  return organization.server_typing_started_expiry_period_milliseconds ?? usualExpiryMilliseconds
}

/** The signs that have not expired. */
export function freshTyping(state: LiveState, now: number): Typing {
  const changes = new Changes(now)
  const newest = now - expiryOf(state)
  let typing = state.typing
  for (const [key, users] of typing) {
    for (const [userId, at] of users) {
      // A clock that was set back must not keep them.
      if (at <= newest || at > now) typing = withTyping(typing, key, userId, undefined, changes)
    }
  }
  return typing
}

/** A user's sign in a conversation, or none. */
export function withTyping(
  typing: Typing,
  key: string,
  userId: number,
  at: number | undefined,
  changes: Changes,
): Typing {
  const users = typing.get(key)
  if (at === undefined && users?.has(userId) !== true) return typing
  const changed = changes.map(users ?? new Map<number, number>())
  if (at === undefined) changed.delete(userId)
  else changed.set(userId, at)
  return changed.size === 0
    ? withoutEntry(typing, key, changes)
    : changes.map(typing).set(key, changed)
}

const typed: Reducer<TypingStartEvent | TypingStopEvent> = (state, event, changes) => {
  const { sender, stream_id, topic, recipients = [], op } = event
  const { me } = state
  if (sender.user_id === me.user_id) return undefined
  const userIds = recipients.map(({ user_id }) => user_id)
  const key =
    stream_id === undefined ? directKey(userIds, me.user_id) : topicKey(stream_id, topic ?? '')
  const at = op === 'start' ? changes.now : undefined
  return {
    typing: withTyping(state.typing, key, sender.user_id, at, changes),
  }
}

/** The data that belongs to the user alone, and the presence and typing of others. */
export const personalReducers: Reducers = {
  alert_words: ({ me }, { alert_words }) => ({ me: { ...me, alert_words } }),
  muted_users: (_, { muted_users }) => ({
    mutedUsers: new Map(muted_users.map(({ id, timestamp }) => [id, timestamp])),
  }),
  user_topic: policySet,
  'user_settings/update': ({ me, drafts }, { property, value }) => ({
    me: { ...me, user_settings: { ...me.user_settings, [property]: value } },
    // The server deletes the drafts, without other events.
    drafts: property === 'enable_drafts_synchronization' && value === false ? new Map() : drafts,
  }),
  'drafts/add': (state, { drafts }, changes) => ({
    drafts: withItems(state.drafts, drafts, ({ id }) => id, changes),
  }),
  'drafts/update': ({ drafts }, { draft }, changes) => ({
    drafts: changes.map(drafts).set(draft.id, draft),
  }),
  'drafts/remove': ({ drafts }, { draft_id }, changes) => ({
    drafts: withoutEntry(drafts, draft_id, changes),
  }),
  'saved_snippets/add': ({ savedSnippets }, { saved_snippet }, changes) => ({
    savedSnippets: changes.map(savedSnippets).set(saved_snippet.id, saved_snippet),
  }),
  'saved_snippets/update': ({ savedSnippets }, { saved_snippet }, changes) => ({
    savedSnippets: changes.map(savedSnippets).set(saved_snippet.id, saved_snippet),
  }),
  'saved_snippets/remove': ({ savedSnippets }, { saved_snippet_id }, changes) => ({
    savedSnippets: withoutEntry(savedSnippets, saved_snippet_id, changes),
  }),
  'scheduled_messages/add': ({ scheduledMessages }, { scheduled_messages }, changes) => ({
    scheduledMessages: withItems(
      scheduledMessages,
      scheduled_messages,
      ({ scheduled_message_id }) => scheduled_message_id,
      changes,
    ),
  }),
  'scheduled_messages/update': ({ scheduledMessages }, { scheduled_message }, changes) => ({
    scheduledMessages: changes
      .map(scheduledMessages)
      .set(scheduled_message.scheduled_message_id, scheduled_message),
  }),
  'scheduled_messages/remove': ({ scheduledMessages }, { scheduled_message_id }, changes) => ({
    scheduledMessages: withoutEntry(scheduledMessages, scheduled_message_id, changes),
  }),
  'reminders/add': (state, { reminders }, changes) => ({
    reminders: withItems(state.reminders, reminders, ({ reminder_id }) => reminder_id, changes),
  }),
  'reminders/remove': ({ reminders }, { reminder_id }, changes) => ({
    reminders: withoutEntry(reminders, reminder_id, changes),
  }),
  presence: ({ presence }, { presences }, changes) => {
    if (presences === undefined) return undefined
    const all = changes.map(presence)
    for (const [id, times] of Object.entries(presences)) all.set(Number(id), times)
    return { presence: all }
  },
  'typing/start': typed,
  'typing/stop': typed,
}
