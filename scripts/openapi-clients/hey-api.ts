/** Talks to a server through the functions that @hey-api/openapi-ts made. */
import assert from 'node:assert/strict'

import { client } from './hey-api/client.gen.js'
import * as chat from './hey-api/sdk.gen.js'

const [address = '', email = '', key = '', otherEmail = '', otherId = ''] = process.argv.slice(2)
const others = [Number(otherId)]
client.setConfig({
  baseUrl: address,
  auth: ({ scheme }) => (scheme === 'basic' ? `${email}:${key}` : undefined),
  throwOnError: true,
})

const name = 'hey-api'
const throwOnError = true
for (const principals of [undefined, others]) {
  const { data } = await chat.subscribe({
    body: {
      subscriptions: [{ name, description: 'Made here' }],
      ...(principals && { principals }),
    },
    throwOnError,
  })
  assert.deepEqual(Object.values(data.subscribed), [[name]])
}

const { data: queue } = await chat.registerQueue({
  body: {
    event_types: ['message'],
    narrow: [['channel', name]],
    client_capabilities: { notification_settings_null: true },
  },
  throwOnError,
})
const { data: sent } = await chat.sendMessage({
  body: { type: 'channel', to: name, topic: 'tea', content: 'To a channel' },
  throwOnError,
})
const { data: direct } = await chat.sendMessage({
  body: { type: 'direct', to: others, content: 'To a person' },
  throwOnError,
})

const { data: news } = await chat.getEvents({
  query: { queue_id: queue.queue_id ?? '', last_event_id: queue.last_event_id },
  throwOnError,
})
assert.deepEqual(
  news.events.map(({ type }) => type),
  ['message'],
)

for (const anchor of ['newest', sent.id]) {
  const narrow = JSON.stringify([{ operator: 'channel', operand: name, negated: false }])
  const { data } = await chat.getMessages({
    query: { anchor, num_before: 5, narrow },
    throwOnError,
  })
  assert.equal(data.messages.at(-1)?.id, sent.id)
}
const { data: byId } = await chat.getMessages({
  query: { message_ids: JSON.stringify([direct.id]) },
  throwOnError,
})
assert.deepEqual(
  byId.messages.map(({ type }) => type),
  ['private'],
)
await chat.updateMessageFlagsForNarrow({
  body: {
    anchor: sent.id,
    num_before: 0,
    num_after: 0,
    narrow: [['channel', name]],
    op: 'add',
    flag: 'starred',
  },
  throwOnError,
})

for (const user_id_or_email of [...others, otherEmail]) {
  const { data } = await chat.getUser({ path: { user_id_or_email }, throwOnError })
  assert.equal(data.user.user_id, others[0])
}

const { data: file } = await chat.uploadFile({
  body: { file: new File(['some tea'], 'tea leaves.txt') },
  throwOnError,
})
const [, , realm_id_str = '', ...rest] = decodeURIComponent(file.url).split('/')
const { data: content } = await chat.readFile({
  path: { realm_id_str: Number(realm_id_str), filename: rest.join('/') },
  parseAs: 'blob',
  throwOnError,
})
assert.equal(await content.text(), 'some tea')

const refused = await chat.getMessage({ path: { message_id: 1_000_000 }, throwOnError: false })
assert.ok(refused.error !== undefined && 'code' in refused.error)
assert.equal(refused.error.code, 'BAD_REQUEST')

const { data: left } = await chat.unsubscribe({
  body: { subscriptions: [name] },
  throwOnError,
})
assert.deepEqual(left.removed, [name])
