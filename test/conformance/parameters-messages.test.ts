import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost, type HostCase } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

/** A call that would succeed, and invalid values of its parameters. */
interface Row {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: (at: HostCase, messageId: number) => string
  /** Required parameters. */
  readonly required?: Readonly<Record<string, unknown>>
  /** Invalid values of a parameter, each with the error message. */
  readonly refused?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const ofMessage = (rest: string) => (_: HostCase, id: number) => `/messages/${id}${rest}`
const at = (path: string) => () => path
const boolean = (name: string): Record<string, string> => ({
  True: `${name} is not valid JSON`,
  '1': `${name} is not a boolean`,
  '"true"': `${name} is not a boolean`,
})
const integer = (name: string): Record<string, string> => ({
  x: `${name} is not valid JSON`,
  '"1"': `${name} is not an integer`,
  '1.5': `${name} is not an integer`,
  true: `${name} is not an integer`,
})
const count = (name: string): Record<string, string> => ({
  ...integer(name),
  '-1': `${name} is too small`,
})
const integers = (name: string): Record<string, string> => ({
  x: `${name} is not valid JSON`,
  '5': `${name} is not a list`,
  '["5"]': `${name}[0] is not an integer`,
})
const narrow = {
  '5': 'narrow is not a list',
  '[5]': 'Invalid narrow[0]: Value error, dict or list required',
}
const tomorrow = 4_000_000_000

const rows: Readonly<Record<string, Row>> = {
  'send-message': {
    method: 'POST',
    path: at('/messages'),
    required: { type: 'channel', content: 'Text' },
    refused: {
      type: { '': 'Invalid type', Channel: 'Invalid type' },
      read_by_sender: boolean('read_by_sender'),
    },
  },
  'get-messages': {
    method: 'GET',
    path: at('/messages'),
    refused: {
      narrow,
      num_before: count('num_before'),
      num_after: count('num_after'),
      message_ids: integers('message_ids'),
      include_anchor: boolean('include_anchor'),
      apply_markdown: boolean('apply_markdown'),
      client_gravatar: boolean('client_gravatar'),
      use_first_unread_anchor: boolean('use_first_unread_anchor'),
      allow_empty_topic_name: boolean('allow_empty_topic_name'),
    },
  },
  'get-message': {
    method: 'GET',
    path: ofMessage(''),
    refused: {
      apply_markdown: boolean('apply_markdown'),
      allow_empty_topic_name: boolean('allow_empty_topic_name'),
    },
  },
  'check-messages-match-narrow': {
    method: 'GET',
    path: at('/messages/matches_narrow'),
    required: { msg_ids: [1], narrow: [] },
    refused: { msg_ids: integers('msg_ids'), narrow },
  },
  'render-message': { method: 'POST', path: at('/messages/render'), required: { content: 'Text' } },
  'update-message': {
    method: 'PATCH',
    path: ofMessage(''),
    refused: {
      propagate_mode: { all: 'Invalid propagate_mode' },
      stream_id: integer('stream_id'),
      send_notification_to_old_thread: boolean('send_notification_to_old_thread'),
      send_notification_to_new_thread: boolean('send_notification_to_new_thread'),
    },
  },
  'get-message-history': {
    method: 'GET',
    path: ofMessage('/history'),
    refused: { allow_empty_topic_name: boolean('allow_empty_topic_name') },
  },
  'update-message-flags': {
    method: 'POST',
    path: at('/messages/flags'),
    required: { messages: [1], op: 'add', flag: 'starred' },
    refused: { messages: integers('messages') },
  },
  'update-message-flags-for-narrow': {
    method: 'POST',
    path: at('/messages/flags/narrow'),
    required: {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: [],
      op: 'add',
      flag: 'starred',
    },
    refused: {
      num_before: count('num_before'),
      num_after: count('num_after'),
      include_anchor: boolean('include_anchor'),
      narrow,
    },
  },
  'mark-stream-as-read': {
    method: 'POST',
    path: at('/mark_stream_as_read'),
    required: { stream_id: 1 },
    refused: { stream_id: integer('stream_id') },
  },
  'mark-topic-as-read': {
    method: 'POST',
    path: at('/mark_topic_as_read'),
    required: { stream_id: 1, topic_name: 'x' },
    refused: { stream_id: integer('stream_id') },
  },
  'delete-topic': {
    method: 'POST',
    path: ({ channels }) => `/streams/${channels.general}/delete_topic`,
    required: { topic_name: 'x' },
  },
  'add-reaction': {
    method: 'POST',
    path: ofMessage('/reactions'),
    required: { emoji_name: 'tada' },
  },
  'remove-reaction': {
    method: 'DELETE',
    path: ofMessage('/reactions'),
    refused: { emoji_name: { no_such_emoji: "Emoji 'no_such_emoji' does not exist" } },
  },
  'report-message': {
    method: 'POST',
    path: ofMessage('/report'),
    required: { report_type: 'spam' },
    refused: { report_type: { Spam: 'Invalid report_type' } },
  },
  'add-submessage': {
    method: 'POST',
    path: at('/submessage'),
    required: { message_id: 1, msg_type: 'widget', content: '{}' },
    refused: { message_id: integer('message_id') },
  },
  'set-typing-status': {
    method: 'POST',
    path: at('/typing'),
    required: { op: 'start' },
    refused: {
      type: { private: 'Invalid type' },
      op: { pause: 'Invalid op' },
      to: integers('to'),
      stream_id: integer('stream_id'),
    },
  },
  'set-typing-status-for-message-edit': {
    method: 'POST',
    path: ofMessage('/typing'),
    required: { op: 'start' },
    refused: { op: { pause: 'Invalid op' } },
  },
  'update-user-topic': {
    method: 'POST',
    path: at('/user_topics'),
    required: { stream_id: 1, topic: 'x', visibility_policy: 1 },
    refused: { stream_id: integer('stream_id'), visibility_policy: integer('visibility_policy') },
  },
  'create-scheduled-message': {
    method: 'POST',
    path: at('/scheduled_messages'),
    required: {
      type: 'direct',
      to: [1],
      content: 'Text',
      scheduled_delivery_timestamp: tomorrow,
    },
    refused: {
      read_by_sender: boolean('read_by_sender'),
      scheduled_delivery_timestamp: integer('scheduled_delivery_timestamp'),
    },
  },
  'create-message-reminder': {
    method: 'POST',
    path: at('/reminders'),
    required: { message_id: 1, scheduled_delivery_timestamp: tomorrow },
    refused: {
      message_id: integer('message_id'),
      scheduled_delivery_timestamp: integer('scheduled_delivery_timestamp'),
    },
  },
  'update-presence': {
    method: 'POST',
    path: at('/users/me/presence'),
    required: { status: 'active' },
    refused: {
      status: { away: 'Invalid status: away' },
      ping_only: boolean('ping_only'),
      new_user_input: boolean('new_user_input'),
      slim_presence: boolean('slim_presence'),
      last_update_id: integer('last_update_id'),
      history_limit_days: count('history_limit_days'),
    },
  },
  'add-navigation-view': {
    method: 'POST',
    path: at('/navigation_views'),
    required: { fragment: 'inbox', is_pinned: true },
    refused: { is_pinned: boolean('is_pinned'), fragment: { ' ': 'fragment cannot be blank' } },
  },
  'create-saved-snippet': {
    method: 'POST',
    path: at('/saved_snippets'),
    required: { title: 'Title', content: 'Text' },
    refused: {
      title: { ' ': 'title cannot be blank' },
      content: { ' ': 'content cannot be blank' },
    },
  },
  'delete-queue': { method: 'DELETE', path: at('/events'), required: { queue_id: 'x' } },
}

for (const [operationId, { method, path, required = {}, refused = {} }] of Object.entries(rows)) {
  everyHost(operationId, (host) => {
    const call = async (params: Readonly<Record<string, unknown>>) => {
      const { adam, alice } = host.people
      const id = await alice.say(host.channels.general, 'parameters', 'Text')
      const by = operationId === 'delete-topic' ? adam : alice
      const verb = method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete'
      return by[verb](path(host, id), params)
    }

    it('returns an error that names the missing parameter', async () => {
      for (const name of Object.keys(required)) {
        const { [name]: _, ...others } = required
        assertRefused(await call(others), `Missing '${name}' argument`, {
          code: 'REQUEST_VARIABLE_MISSING',
          var_name: name,
        })
      }
    })

    it('returns an error for each invalid value, and changes nothing', async () => {
      const feed = await host.people.bob.listen({ event_types: ['update_message', 'reaction'] })
      for (const [name, values] of Object.entries(refused)) {
        for (const [value, text] of Object.entries(values)) {
          assertRefused(await call({ ...required, [name]: value }), text)
        }
      }
      assert.deepEqual(await feed.drain(), [])
    })
  })
}
