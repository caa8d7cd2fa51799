import fc from 'fast-check'

import { anyone, by, command, flag, index, mostlyOlga, withOne } from './register-command.js'
import { names, type Name } from './register-state.js'

const channel = fc.nat(9)
const topic = fc.constantFrom('a', 'A', 'b', '')
const content = fc.constantFrom(
  'Hello',
  '@**Alice Test** look',
  '@**all** look',
  '@**topic** look',
  '@**Bob Test** @**Gus Test**',
)

/** Commands about messages and topics. */
export const messageCommands = [
  ...[0, 1, 2].map(() =>
    command<[Name, number, string, string]>(
      'send',
      [anyone, channel, topic, content],
      (state, name, which, to, text) =>
        withOne(state, 'channel', which, (id) =>
          by(state, name).post('/messages', { type: 'channel', to: id, topic: to, content: text }),
        ),
      (state, body) => state.note('message', body.id),
    ),
  ),
  command<[Name, Name[], string]>(
    'send a direct message',
    [anyone, fc.subarray([...names], { minLength: 1, maxLength: 3 }), content],
    (state, name, to, text) =>
      by(state, name).post('/messages', {
        type: 'direct',
        to: to.map((one) => by(state, one).id),
        content: text,
      }),
    (state, body) => state.note('message', body.id),
  ),
  command<[Name, number, string]>('edit', [anyone, index, content], (state, name, which, text) =>
    withOne(state, 'message', which, (id) =>
      by(state, name).patch(`/messages/${id}`, { content: `${text} again` }),
    ),
  ),
  ...[0, 1].map(() =>
    command<[Name, number, number, string, string, boolean]>(
      'move',
      [
        mostlyOlga,
        index,
        channel,
        topic,
        fc.constantFrom('change_one', 'change_later', 'change_all'),
        flag,
      ],
      (state, name, which, into, to, propagate_mode, crosses) =>
        withOne(state, 'message', which, (id) =>
          by(state, name).patch(`/messages/${id}`, {
            propagate_mode,
            topic: to,
            ...(crosses ? { stream_id: state.one('channel', into) } : {}),
            send_notification_to_new_thread: false,
            send_notification_to_old_thread: false,
          }),
        ),
    ),
  ),
  ...[0, 1].map(() =>
    command<[Name, number]>('resolve', [mostlyOlga, index], (state, name, which) =>
      withOne(state, 'message', which, async (id) => {
        const { body } = await by(state, name).get(`/messages/${id}`)
        const subject = body.message?.subject ?? ''
        // To resolve a topic does not move its messages: their times stay.
        state.host.clock.jump(1)
        return by(state, name).patch(`/messages/${id}`, {
          topic: subject.startsWith('✔ ') ? subject.slice(2) : `✔ ${subject}`,
          propagate_mode: 'change_all',
        })
      }),
    ),
  ),
  command<[Name, number]>('delete a message', [mostlyOlga, index], (state, name, which) =>
    withOne(state, 'message', which, (id) => by(state, name).delete(`/messages/${id}`)),
  ),
  command<[number, string]>('delete a topic', [channel, topic], (state, which, topic_name) =>
    withOne(state, 'channel', which, (id) =>
      by(state, 'olga').post(`/streams/${id}/delete_topic`, { topic_name }),
    ),
  ),
  ...[0, 1].map(() =>
    command<[Name, number, string, string]>(
      'flag',
      [anyone, index, fc.constantFrom('read', 'starred'), fc.constantFrom('add', 'remove')],
      (state, name, which, named, op) =>
        withOne(state, 'message', which, (id) =>
          by(state, name).post('/messages/flags', { messages: [id], op, flag: named }),
        ),
    ),
  ),
  command<[Name, string]>(
    'flag several messages',
    [anyone, fc.constantFrom('add', 'remove')],
    (state, name, op) =>
      by(state, name).post('/messages/flags/narrow', {
        anchor: 'oldest',
        num_before: 0,
        num_after: 100,
        narrow: [],
        op,
        flag: 'read',
      }),
  ),
  command<[Name]>('mark all as read', [anyone], (state, name) =>
    by(state, name).post('/mark_all_as_read'),
  ),
  command<[Name, number]>('mark a channel as read', [anyone, channel], (state, name, which) =>
    withOne(state, 'channel', which, (stream_id) =>
      by(state, name).post('/mark_stream_as_read', { stream_id }),
    ),
  ),
  command<[Name, number]>('react', [anyone, index], (state, name, which) =>
    withOne(state, 'message', which, (id) =>
      by(state, name).post(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
    ),
  ),
  command<[Name, number, string, number]>(
    'set a topic policy',
    [anyone, channel, topic, fc.nat(3)],
    (state, name, which, to, visibility_policy) =>
      withOne(state, 'channel', which, (stream_id) =>
        by(state, name).post('/user_topics', { stream_id, topic: to, visibility_policy }),
      ),
  ),
] as const
