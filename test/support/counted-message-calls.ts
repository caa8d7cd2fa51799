import { hallOf, pick, type CountedCall } from './counted-call.js'

const whole = { anchor: 'oldest', num_before: 0, num_after: 1000 } as const

/** Calls about messages, topics, and what a user writes, reads and is reminded of. */
export const countedMessageCalls: Readonly<Record<string, CountedCall>> = {
  'render-message': ({ alice }) =>
    alice.post('/messages/render', { content: '@**all** #**channel 0>talk** :emoji0:' }),
  'register-queue': ({ alice }) =>
    alice.post('/register', { include_subscribers: true, fetch_event_types: null }),
  'get-events': async ({ alice }) => {
    const { body } = await alice.post('/register', { fetch_event_types: [] })
    return alice.get('/events', {
      queue_id: body.queue_id,
      last_event_id: body.last_event_id,
      dont_block: true,
    })
  },
  'delete-queue': async ({ alice }) => {
    const { body } = await alice.post('/register', { fetch_event_types: [] })
    return alice.delete('/events', { queue_id: body.queue_id })
  },
  'send-message': (at) =>
    at.alice.post('/messages', {
      type: 'stream',
      to: hallOf(at),
      topic: 'talk',
      content: '@*group 0* talk',
    }),
  'get-messages': ({ alice }) => alice.get('/messages', whole),
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
  'mark-all-as-read': ({ olga }) => olga.post('/mark_all_as_read'),
  'get-read-receipts': ({ alice, messages }) =>
    alice.get(`/messages/${pick(messages, 0)}/read_receipts`),
  'update-message': ({ olga, messages }, round) =>
    olga.patch(`/messages/${pick(messages, 0)}`, {
      topic: `moved ${round}`,
      propagate_mode: 'change_all',
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: false,
    }),
  'get-message-history': ({ alice, messages }) =>
    alice.get(`/messages/${pick(messages, 0)}/history`),
  'add-reaction': ({ alice, messages }, round) =>
    alice.post(`/messages/${pick(messages, 0)}/reactions`, {
      emoji_name: ['octopus', 'heart', 'tada'][round],
    }),
  'remove-reaction': ({ alice, messages }, round) =>
    alice.delete(`/messages/${pick(messages, 0)}/reactions`, {
      emoji_name: ['octopus', 'heart', 'tada'][round],
    }),
  'get-scheduled-messages': ({ alice }) => alice.get('/scheduled_messages'),
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
  'delete-scheduled-message': ({ alice, scheduled }, round) =>
    alice.delete(`/scheduled_messages/${pick(scheduled, round)}`),
  'get-saved-snippets': ({ alice }) => alice.get('/saved_snippets'),
  'create-saved-snippet': ({ alice }, round) =>
    alice.post('/saved_snippets', { title: `New ${round}`, content: 'x' }),
  'edit-saved-snippet': ({ alice, snippets }, round) =>
    alice.patch(`/saved_snippets/${pick(snippets, 0)}`, { title: `Edited ${round}` }),
  'delete-saved-snippet': ({ alice, snippets }, round) =>
    alice.delete(`/saved_snippets/${pick(snippets, round)}`),
  'get-drafts': ({ alice }) => alice.get('/drafts'),
  'create-drafts': ({ alice, users, channels }) =>
    alice.post('/drafts', {
      drafts: users.map((id, index) =>
        index % 2 === 0
          ? { type: 'private', to: [id], topic: '', content: 'x' }
          : { type: 'stream', to: [channels[index]], topic: 't', content: 'x' },
      ),
    }),
  'edit-draft': ({ alice, drafts, channels }, round) =>
    alice.patch(`/drafts/${pick(drafts, 0)}`, {
      draft: { type: 'stream', to: [channels[0]], topic: 't', content: `x ${round}` },
    }),
  'delete-draft': ({ alice, drafts }, round) => alice.delete(`/drafts/${pick(drafts, round)}`),
  'get-stream-topics': (at) => at.alice.get(`/users/me/${hallOf(at)}/topics`),
  'update-user-topic': (at, round) =>
    at.alice.post('/user_topics', {
      stream_id: hallOf(at),
      topic: 'talk',
      visibility_policy: round + 1,
    }),
  'mute-topic': (at, round) =>
    at.alice.patch('/users/me/subscriptions/muted_topics', {
      stream_id: hallOf(at),
      topic: `mute ${round}`,
      op: 'add',
    }),
  'set-typing-status': (at, round) =>
    at.alice.post('/typing', {
      type: 'stream',
      stream_id: hallOf(at),
      topic: 'talk',
      op: round === 1 ? 'stop' : 'start',
    }),
  'delete-message': ({ olga, messages }, round) =>
    olga.delete(`/messages/${pick(messages, round + 3)}`),
  'get-reminders': ({ alice }) => alice.get('/reminders'),
  'create-message-reminder': ({ alice, messages }) =>
    alice.post('/reminders', {
      message_id: pick(messages, 0),
      scheduled_delivery_timestamp: 4_000_000_000,
    }),
  'delete-reminder': async ({ alice }) => {
    const { body } = await alice.get('/reminders')
    return alice.delete(`/reminders/${body.reminders[0].reminder_id}`)
  },
  'get-attachments': ({ alice }) => alice.get('/attachments'),
  'delete-topic': (at, round) =>
    at.olga.post(`/streams/${hallOf(at)}/delete_topic`, { topic_name: `moved ${round}` }),
}
