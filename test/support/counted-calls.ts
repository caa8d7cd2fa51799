import type { Answer } from './client.js'
import { passwordOf } from './cast.js'
import type { Crowd } from './crowd.js'

/**
 * A call with as many items as possible; it must succeed. It is made three times, with `round` 0, 1
 * and 2: the first two fill all caches that are kept between requests.
 */
export type CountedCall = (at: Crowd, round: number) => Promise<Answer>

const pick = (ids: readonly number[], round: number): number => ids[round] as number
export const hallOf = ({ channels }: Crowd): number => pick(channels, 0)
const whole = { anchor: 'oldest', num_before: 0, num_after: 1000 } as const

/**
 * The calls whose statements could grow with users, channels or messages, and that the examples of
 * the operations make with fewer of them.
 */
export const countedCalls: Readonly<Record<string, CountedCall>> = {
  'render-message': ({ alice }) =>
    alice.post('/messages/render', { content: '@**all** #**channel 0>talk** :emoji0:' }),
  'register-queue': ({ alice }) =>
    alice.post('/register', { include_subscribers: true, fetch_event_types: null }),
  'send-message': (at) =>
    at.alice.post('/messages', {
      type: 'stream',
      to: hallOf(at),
      topic: 'talk',
      content: '@*group 0* talk',
    }),
  'get-message': ({ alice, messages }) => alice.get(`/messages/${pick(messages, 0)}`),
  'check-messages-match-narrow': ({ alice, messages }) =>
    alice.get('/messages/matches_narrow', {
      msg_ids: messages,
      narrow: [{ operator: 'search', operand: 'number' }],
    }),
  'update-message-flags': ({ alice, messages }, round) =>
    alice.post('/messages/flags', { messages, op: round === 1 ? 'remove' : 'add', flag: 'read' }),
  'update-message-flags-for-narrow': ({ alice }, round) =>
    alice.post('/messages/flags/narrow', {
      ...whole,
      narrow: [],
      op: round === 1 ? 'remove' : 'add',
      flag: 'starred',
    }),
  'mark-stream-as-read': (at) => at.olga.post('/mark_stream_as_read', { stream_id: hallOf(at) }),
  'mark-topic-as-read': (at) =>
    at.olga.post('/mark_topic_as_read', { stream_id: hallOf(at), topic_name: 'talk' }),
  'get-read-receipts': ({ alice, messages }) =>
    alice.get(`/messages/${pick(messages, 0)}/read_receipts`),
  'update-message': ({ olga, messages }, round) =>
    olga.patch(`/messages/${pick(messages, 0)}`, {
      topic: `moved ${round}`,
      propagate_mode: 'change_all',
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: false,
    }),
  'add-reaction': ({ alice, messages }, round) =>
    alice.post(`/messages/${pick(messages, 0)}/reactions`, {
      emoji_name: ['octopus', 'heart', 'tada'][round],
    }),
  'remove-reaction': ({ alice, messages }, round) =>
    alice.delete(`/messages/${pick(messages, 0)}/reactions`, {
      emoji_name: ['octopus', 'heart', 'tada'][round],
    }),
  'create-scheduled-message': (at) =>
    at.alice.post('/scheduled_messages', {
      type: 'stream',
      to: hallOf(at),
      topic: 'talk',
      content: 'Later @*group 0*',
      scheduled_delivery_timestamp: 4_000_000_000,
    }),
  'update-scheduled-message': ({ alice, scheduled }, round) =>
    alice.patch(`/scheduled_messages/${pick(scheduled, 0)}`, { content: `Later ${round}` }),
  'create-drafts': ({ alice, users, channels }) =>
    alice.post('/drafts', {
      drafts: users.map((id, index) =>
        index % 2 === 0
          ? { type: 'private', to: [id], topic: '', content: 'x' }
          : { type: 'stream', to: [channels[index]], topic: 't', content: 'x' },
      ),
    }),
  'get-stream-topics': (at) => at.alice.get(`/users/me/${hallOf(at)}/topics`),
  'update-user-topic': (at, round) =>
    at.alice.post('/user_topics', {
      stream_id: hallOf(at),
      topic: 'talk',
      visibility_policy: round + 1,
    }),
  'set-typing-status': (at, round) =>
    at.alice.post('/typing', {
      type: 'stream',
      stream_id: hallOf(at),
      topic: 'talk',
      op: round === 1 ? 'stop' : 'start',
    }),
  'delete-topic': (at, round) =>
    at.olga.post(`/streams/${hallOf(at)}/delete_topic`, { topic_name: `moved ${round}` }),
  'fetch-api-key': ({ nobody, alice }) =>
    nobody.post('/fetch_api_key', { username: alice.email, password: passwordOf('alice') }),
  'deactivate-user': ({ olga, users }, round) => olga.delete(`/users/${pick(users, round)}`),
  'reactivate-user': ({ olga, users }, round) =>
    olga.post(`/users/${pick(users, round)}/reactivate`),
  'create-user-group': ({ olga, users, groups }, round) =>
    olga.post('/user_groups/create', {
      name: `new ${round}`,
      description: '',
      members: users,
      subgroups: groups,
    }),
  'update-user-group': ({ olga, groups, users }, round) =>
    olga.patch(`/user_groups/${pick(groups, 0)}`, {
      can_mention_group: { new: { direct_members: users.slice(round), direct_subgroups: [] } },
    }),
  'get-user-group-members': ({ alice, groups }) =>
    alice.get(`/user_groups/${pick(groups, 0)}/members`),
  'get-is-user-group-member': ({ alice, groups, users }) =>
    alice.get(`/user_groups/${pick(groups, 0)}/members/${pick(users, 0)}`),
  'update-user-group-members': ({ olga, groups, users }, round) =>
    olga.post(`/user_groups/${pick(groups, 0)}/members`, {
      [round === 1 ? 'add' : 'delete']: users,
    }),
  'get-user-group-subgroups': ({ alice, groups }) =>
    alice.get(`/user_groups/${pick(groups, 0)}/subgroups`),
  'update-user-group-subgroups': ({ olga, groups }, round) =>
    olga.post(`/user_groups/${pick(groups, 0)}/subgroups`, {
      [round === 1 ? 'delete' : 'add']: groups.slice(2),
    }),
  'add-alert-words': ({ alice, users }, round) =>
    alice.post('/users/me/alert_words', { alert_words: users.map((id) => `a${round} ${id}`) }),
  'remove-alert-words': ({ alice, users }, round) =>
    alice.delete('/users/me/alert_words', { alert_words: users.map((id) => `a${round} ${id}`) }),
  'create-channel': ({ olga, users }, round) =>
    olga.post('/channels/create', { name: `made ${round}`, subscribers: users, announce: false }),
  subscribe: ({ olga, users }, round) =>
    olga.post('/users/me/subscriptions', {
      subscriptions: [{ name: `fresh ${round}` }],
      principals: users,
    }),
  unsubscribe: ({ olga, users }, round) =>
    olga.delete('/users/me/subscriptions', {
      subscriptions: [`fresh ${round}`],
      principals: users,
    }),
  'get-subscribers': (at) => at.alice.get(`/streams/${hallOf(at)}/members`),
  'update-subscription-settings': ({ alice, channels }, round) =>
    alice.post('/users/me/subscriptions/properties', {
      subscription_data: channels.map((stream_id) => ({
        stream_id,
        property: 'is_muted',
        value: round === 1,
      })),
    }),
  'create-invite-link': ({ olga, channels }) =>
    olga.post('/invites/multiuse', { stream_ids: channels, group_ids: [] }),
  'update-bot': ({ alice, bots }, round) =>
    alice.patch(`/bots/${pick(bots, 0)}`, { full_name: `Robot ${'abc'[round]}` }),
  'regenerate-bot-api-key': ({ alice, bots }) =>
    alice.post(`/bots/${pick(bots, 0)}/api_key/regenerate`),
  'deactivate-bot': ({ alice, bots }, round) => alice.delete(`/bots/${pick(bots, round)}`),
  'deactivate-user-group': async ({ olga }, round) => {
    const { body } = await olga.get('/user_groups')
    const made = (body.user_groups as { id: number; name: string }[]).find(
      ({ name }) => name === `new ${round}`,
    )
    return olga.post(`/user_groups/${made?.id}/deactivate`)
  },
  'archive-stream': ({ olga, channels }, round) => olga.delete(`/streams/${pick(channels, round)}`),
}

/** Examples whose statements are not counted, and why. */
export const notCounted: Readonly<Record<string, string>> = {
  'get-file-temporary-urls': 'is counted in conformance/uploads-temporary.test.ts',
  'export-realm': 'inserts one row; the archive is produced in the background',
  'regenerate-own-api-key': 'changes one account, and the key of the caller',
  'deactivate-own-user': 'is deactivate-user, of oneself',
}
