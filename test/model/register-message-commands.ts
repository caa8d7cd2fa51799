import fc from 'fast-check'

import { anyone, by, command, flag, index, mostlyOlga, withOne } from './register-command.js'
import { names, type Name } from './register-world.js'

const channel = fc.nat(9)
const topic = fc.constantFrom('a', 'A', 'b', '')
const content = fc.constantFrom(
  'Hello',
  '@**Alice Test** look',
  '@**all** look',
  '@**topic** look',
  '@**Bob Test** @**Gus Test**',
)

/** What is done with messages and topics. */
export const messageCommands = [
  ...[0, 1, 2].map(() =>
    command<[Name, number, string, string]>(
      'send',
      [anyone, channel, topic, content],
      (world, name, which, to, text) =>
        withOne(world, 'channel', which, (id) =>
          by(world, name).post('/messages', { type: 'channel', to: id, topic: to, content: text }),
        ),
      (world, body) => world.note('message', body.id),
    ),
  ),
  command<[Name, Name[], string]>(
    'whisper',
    [anyone, fc.subarray([...names], { minLength: 1, maxLength: 3 }), content],
    (world, name, to, text) =>
      by(world, name).post('/messages', {
        type: 'direct',
        to: to.map((one) => by(world, one).id),
        content: text,
      }),
    (world, body) => world.note('message', body.id),
  ),
  command<[Name, number, string]>('edit', [anyone, index, content], (world, name, which, text) =>
    withOne(world, 'message', which, (id) =>
      by(world, name).patch(`/messages/${id}`, { content: `${text} again` }),
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
      (world, name, which, into, to, propagate_mode, crosses) =>
        withOne(world, 'message', which, (id) =>
          by(world, name).patch(`/messages/${id}`, {
            propagate_mode,
            topic: to,
            ...(crosses ? { stream_id: world.one('channel', into) } : {}),
            send_notification_to_new_thread: false,
            send_notification_to_old_thread: false,
          }),
        ),
    ),
  ),
  command<[Name, number]>('resolve', [mostlyOlga, index], (world, name, which) =>
    withOne(world, 'message', which, async (id) => {
      const { body } = await by(world, name).get(`/messages/${id}`)
      const subject = String(body.message?.subject ?? '')
      return by(world, name).patch(`/messages/${id}`, {
        topic: subject.startsWith('✔ ') ? subject.slice(2) : `✔ ${subject}`,
        propagate_mode: 'change_all',
      })
    }),
  ),
  command<[Name, number]>('delete', [mostlyOlga, index], (world, name, which) =>
    withOne(world, 'message', which, (id) => by(world, name).delete(`/messages/${id}`)),
  ),
  command<[number, string]>('delete a topic', [channel, topic], (world, which, topic_name) =>
    withOne(world, 'channel', which, (id) =>
      by(world, 'olga').post(`/streams/${id}/delete_topic`, { topic_name }),
    ),
  ),
  ...[0, 1].map(() =>
    command<[Name, number, string, string]>(
      'flag',
      [anyone, index, fc.constantFrom('read', 'starred'), fc.constantFrom('add', 'remove')],
      (world, name, which, named, op) =>
        withOne(world, 'message', which, (id) =>
          by(world, name).post('/messages/flags', { messages: [id], op, flag: named }),
        ),
    ),
  ),
  command<[Name, string]>(
    'flag all',
    [anyone, fc.constantFrom('add', 'remove')],
    (world, name, op) =>
      by(world, name).post('/messages/flags/narrow', {
        anchor: 'oldest',
        num_before: 0,
        num_after: 100,
        narrow: [],
        op,
        flag: 'read',
      }),
  ),
  command<[Name]>('mark all as read', [anyone], (world, name) =>
    by(world, name).post('/mark_all_as_read'),
  ),
  command<[Name, number]>('mark a channel as read', [anyone, channel], (world, name, which) =>
    withOne(world, 'channel', which, (stream_id) =>
      by(world, name).post('/mark_stream_as_read', { stream_id }),
    ),
  ),
  command<[Name, number]>('react', [anyone, index], (world, name, which) =>
    withOne(world, 'message', which, (id) =>
      by(world, name).post(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
    ),
  ),
  command<[Name, number, string, number]>(
    'decide about a topic',
    [anyone, channel, topic, fc.nat(3)],
    (world, name, which, to, visibility_policy) =>
      withOne(world, 'channel', which, (stream_id) =>
        by(world, name).post('/user_topics', { stream_id, topic: to, visibility_policy }),
      ),
  ),
] as const
