import assert from 'node:assert/strict'
import { after, it } from 'node:test'

import {
  formatOf,
  readAnswer,
} from '../../packages/core/src/resources/notifications/outgoing-webhooks/outgoing-webhook-formats.js'
import { readProductSources } from '../architecture/source-files.js'
import type { Answer } from '../support/client.js'
import { FakeRelay } from '../support/fake-relay.js'
import { everyHost, type HostCase } from '../support/host.js'
import { post, webhookBot } from '../support/incoming-webhooks.js'
import { registered } from '../support/message-queues.js'
import { SocketClient } from '../support/socket-client.js'

const core = 'packages/core/src/'
const deep = '['.repeat(101) + ']'.repeat(101)
const wide = `{${Array.from({ length: 20_001 }, (_, index) => `"${index}":1`).join()}}`
const jsonHeaders = { 'content-type': 'application/json' }
const device = '/users/me/apns_device_token'

/** What is answered to JSON that is too deep, and to JSON with too many members. */
type Refusals = (at: HostCase) => Promise<readonly [unknown, unknown]>

async function messages(attempt: (text: string) => Promise<Answer>): Promise<[unknown, unknown]> {
  const [first, second] = [await attempt(deep), await attempt(wide)]
  assert.deepEqual([first.status, second.status], [400, 400], first.text)
  return [first.body.msg, second.body.msg]
}

function ofParameter(name: string): readonly [string, string] {
  return [`${name} is not valid JSON`, `${name} is too long (limit: 20000 items)`]
}

const relay = await FakeRelay.start()
after(() => relay.stop())

async function codeOfFrame({ people }: HostCase, text: string): Promise<number> {
  const socket = await SocketClient.open(people.gus, await registered(people.gus))
  socket.socket.send(text)
  return (await socket.closing).code
}

async function relayed({ people }: HostCase, json: string): Promise<unknown> {
  await people.carol.post(device, { token: 'cafe', appid: 'org.example.Chat' })
  relay.failOnce({ status: 200, body: `{"result":"success","msg":"","more":${json}}` })
  return (await people.carol.post('/mobile_push/test_notification')).body.code
}

async function sentByWebhook(at: HostCase, name: string): Promise<[unknown, unknown]> {
  const { api_key } = await webhookBot(at.people.alice)
  return messages((text) => post(at, name, { api_key }, text))
}

/** By the module that parses; each with its answers. */
const places: Readonly<Record<string, Readonly<Record<string, [Refusals, readonly unknown[]]>>>> = {
  'http/parameters/json-text.ts': {
    'a form field': [
      ({ people }) => messages((to) => people.gus.post('/typing', { op: 'start', to })),
      ofParameter('to'),
    ],
    'the JSON of an incoming webhook': [(at) => sentByWebhook(at, 'json'), ofParameter('payload')],
    'the Slack message of an incoming webhook': [
      (at) => sentByWebhook(at, 'slack_incoming'),
      ofParameter('payload'),
    ],
  },
  'http/parameters/form-fields.ts': {
    'a JSON body': [
      ({ people }) =>
        messages((op) => people.gus.send('POST', '/typing', `{"op":${op}}`, jsonHeaders)),
      ['Malformed payload', 'Malformed payload'],
    ],
  },
  'resources/messages/sending/message-target.ts': {
    'the target of a message': [
      ({ people }) =>
        messages((to) => people.alice.post('/messages', { type: 'direct', to, content: 'x' })),
      ofParameter('to'),
    ],
  },
  'resources/messages/submessages/submessage-service.ts': {
    'a submessage': [
      async ({ people, channels }) => {
        const message_id = await people.alice.say(channels.general, 'poll', '/poll Tea?')
        return messages((content) =>
          people.alice.post('/submessage', { message_id, msg_type: 'widget', content }),
        )
      },
      ['Invalid json for submessage', 'content is too long (limit: 10000 characters)'],
    ],
  },
  'domain/messages/widgets.ts': {
    'a widget': [
      ({ people, channels }) =>
        messages((widget_content) =>
          people.alice.post('/messages', {
            type: 'channel',
            to: channels.general,
            topic: 'x',
            content: 'x',
            widget_content,
          }),
        ),
      [
        'Widgets: API programmer sent invalid JSON content',
        'widget_content is too long (limit: 10000 characters)',
      ],
    ],
  },
  'events/sockets/event-socket.ts': {
    'a WebSocket frame, which has at most 4,096 bytes': [
      async (at) => [
        await codeOfFrame(at, `{"last_event_id":-1,"x":${deep}}`),
        await codeOfFrame(at, wide),
      ],
      [1008, 1009],
    ],
  },
  'resources/notifications/outgoing-webhooks/outgoing-webhook-formats.ts': {
    'the response of an outgoing webhook': [
      async () =>
        [deep, wide].map((text) => readAnswer(formatOf(1), `{"x":${text}}`).problem) as [
          unknown,
          unknown,
        ],
      ['Invalid JSON in response', 'Invalid JSON in response'],
    ],
  },
  'resources/notifications/push-relay/http-push-relay.ts': {
    'the response of a push relay': [
      async (at) => [await relayed(at, deep), await relayed(at, wide)],
      ['ADMIN_ACTION_REQUIRED', 'ADMIN_ACTION_REQUIRED'],
    ],
  },
}

/** Modules that parse only what this server, or the application, has written. */
const ownJson = [
  'http/replies/response-check.ts',
  'http/replies/plain-result.ts',
  // A text that was already parsed once.
  'http/parameters/json-text.ts',
  'kernel/json.ts',
  'kernel/untrusted-json.ts',
  'kernel/encoded-list.ts',
  // What a process of this chat has signed.
  'events/bus/signed-messages.ts',
  'events/log/log-secrets.ts',
  'storage/log/event-log-reader.ts',
  'storage/dialects/mysql-dialect.ts',
  'storage/dialects/postgres-dialect.ts',
  'storage/dialects/sqlite-dialect.ts',
  'storage/transactions/followed-commits.ts',
  'resources/administration/audit-log/audit-log.ts',
  'resources/administration/organization-archive/partial-selection.ts',
  // The application imports only archives that it trusts.
  'resources/administration/organization-archive/row-check.ts',
  'resources/administration/organization-archive/archive-selection.ts',
  'resources/administration/organization-archive/organization-import.ts',
  'resources/administration/personal-data/user-export.ts',
  // The content of a token that this server has encrypted.
  'resources/files/uploads/file-reading.ts',
  // Called by the application for what this server has signed.
  'resources/realtime/webhooks/webhook-signature.ts',
  'resources/realtime/event-queues/event-texts.ts',
  'resources/accounts/user-list/encoded-users.ts',
]

everyHost(
  'JSON of others',
  (at) => {
    for (const cases of Object.values(places)) {
      for (const [title, [refusals, expected]] of Object.entries(cases)) {
        it(`is refused without parsing it if it is too deep or too wide: ${title}`, async () => {
          assert.deepEqual(await refusals(at), expected)
        })
      }
    }
  },
  {},
  { pushRelay: relay.address },
)

it('every module that parses JSON is listed here, or parses only what this server has written', () => {
  const sources = readProductSources().filter(({ path }) => path.startsWith(core))
  const callersOf = (call: string) =>
    sources
      .filter(({ text }) => text.includes(call))
      .map(({ path }) => path.slice(core.length))
      .sort()
  assert.deepEqual(callersOf('JSON.parse('), [...ownJson].sort())
  assert.deepEqual(
    callersOf('parseUntrustedJson(').filter((path) => path !== 'kernel/untrusted-json.ts'),
    Object.keys(places).sort(),
  )
})
