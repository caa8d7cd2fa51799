import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import type { Answer, Parameters } from '../support/client.js'
import { callerOf } from '../support/examples/example.js'
import { examples } from '../support/examples/index.js'
import { everyHost, type HostCase } from '../support/host.js'
import { ObservedClient } from '../support/observed-client.js'
import { assertRefused } from '../support/refusal.js'

/** The required parameters of an operation, and invalid values. */
interface Row {
  readonly required?: readonly string[]
  /** Invalid values of a parameter, each with the error message. */
  readonly refused?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

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

const rows: Readonly<Record<string, Row>> = {
  'send-message': {
    required: ['type', 'content'],
    refused: {
      type: { '': 'Invalid type', Channel: 'Invalid type' },
      read_by_sender: boolean('read_by_sender'),
    },
  },
  'get-messages': {
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
    refused: {
      apply_markdown: boolean('apply_markdown'),
      allow_empty_topic_name: boolean('allow_empty_topic_name'),
    },
  },
  'check-messages-match-narrow': {
    required: ['msg_ids', 'narrow'],
    refused: { msg_ids: integers('msg_ids'), narrow },
  },
  'render-message': { required: ['content'] },
  'update-message': {
    refused: {
      propagate_mode: { all: 'Invalid propagate_mode' },
      stream_id: integer('stream_id'),
      send_notification_to_old_thread: boolean('send_notification_to_old_thread'),
      send_notification_to_new_thread: boolean('send_notification_to_new_thread'),
    },
  },
  'get-message-history': {
    refused: { allow_empty_topic_name: boolean('allow_empty_topic_name') },
  },
  'update-message-flags': {
    required: ['messages', 'op', 'flag'],
    refused: { messages: integers('messages') },
  },
  'update-message-flags-for-narrow': {
    required: ['anchor', 'num_before', 'num_after', 'narrow', 'op', 'flag'],
    refused: {
      num_before: count('num_before'),
      num_after: count('num_after'),
      include_anchor: boolean('include_anchor'),
      narrow,
    },
  },
  'mark-stream-as-read': {
    required: ['stream_id'],
    refused: { stream_id: integer('stream_id') },
  },
  'mark-topic-as-read': {
    required: ['stream_id', 'topic_name'],
    refused: { stream_id: integer('stream_id') },
  },
  'delete-topic': { required: ['topic_name'] },
  'add-reaction': { required: ['emoji_name'] },
  'remove-reaction': {
    refused: { emoji_name: { no_such_emoji: "Emoji 'no_such_emoji' does not exist" } },
  },
  'report-message': {
    required: ['report_type'],
    refused: { report_type: { Spam: 'Invalid report_type' } },
  },
  'add-submessage': {
    required: ['message_id', 'msg_type', 'content'],
    refused: { message_id: integer('message_id') },
  },
  'set-typing-status': {
    required: ['op'],
    refused: {
      type: { private: 'Invalid type' },
      op: { pause: 'Invalid op' },
      to: integers('to'),
      stream_id: integer('stream_id'),
    },
  },
  'set-typing-status-for-message-edit': {
    required: ['op'],
    refused: { op: { pause: 'Invalid op' } },
  },
  'update-user-topic': {
    required: ['stream_id', 'topic', 'visibility_policy'],
    refused: { stream_id: integer('stream_id'), visibility_policy: integer('visibility_policy') },
  },
  'create-scheduled-message': {
    required: ['type', 'to', 'content', 'scheduled_delivery_timestamp'],
    refused: {
      read_by_sender: boolean('read_by_sender'),
      scheduled_delivery_timestamp: integer('scheduled_delivery_timestamp'),
    },
  },
  'create-message-reminder': {
    required: ['message_id', 'scheduled_delivery_timestamp'],
    refused: {
      message_id: integer('message_id'),
      scheduled_delivery_timestamp: integer('scheduled_delivery_timestamp'),
    },
  },
  'update-presence': {
    required: ['status'],
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
    required: ['fragment', 'is_pinned'],
    refused: { is_pinned: boolean('is_pinned'), fragment: { ' ': 'fragment cannot be blank' } },
  },
  'create-saved-snippet': {
    required: ['title', 'content'],
    refused: {
      title: { ' ': 'title cannot be blank' },
      content: { ' ': 'content cannot be blank' },
    },
  },
  'delete-queue': { required: ['queue_id'] },
}

/** Calls the example. @returns a function that sends its request with other parameters. */
async function repeating(
  at: HostCase,
  id: string,
): Promise<(other: Parameters) => Promise<Answer>> {
  const example = examples[id]
  assert.ok(example)
  const requests: string[][] = []
  const by = callerOf(example, at.people)
  const observed = new ObservedClient(by, (send, [method, path, body]) => {
    requests.push([method, ...path.split('?'), String(body ?? '')])
    return send()
  })
  const { status, text } = await example.call(at, observed)
  assert.equal(status, 200, text)
  const [method = '', path = '', fields] = requests.at(-1) ?? []
  const verb = method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete'
  return (other) => by[verb](path, { ...Object.fromEntries(new URLSearchParams(fields)), ...other })
}

for (const [operationId, { required = [], refused = {} }] of Object.entries(rows)) {
  everyHost(operationId, (at) => {
    let call: (other: Parameters) => Promise<Answer>
    before(async () => {
      call = await repeating(at, operationId)
    })

    it('returns an error that names the missing parameter', async () => {
      for (const name of required) {
        assertRefused(await call({ [name]: undefined }), `Missing '${name}' argument`, {
          code: 'REQUEST_VARIABLE_MISSING',
          var_name: name,
        })
      }
    })

    it('returns an error for each invalid value, and changes nothing', async () => {
      const feed = await at.people.bob.listen({ event_types: ['update_message', 'reaction'] })
      for (const [name, values] of Object.entries(refused)) {
        for (const [value, text] of Object.entries(values)) {
          assertRefused(await call({ [name]: value }), text)
        }
      }
      assert.deepEqual(await feed.drain(), [])
    })
  })
}
