/** Talks to a server through openapi-fetch, with the types that openapi-typescript made. */
import assert from 'node:assert/strict'

import createClient from 'openapi-fetch'

import type { paths } from './openapi-typescript.js'

const [address = '', email = '', key = '', otherEmail = '', otherId = ''] = process.argv.slice(2)
const others = [Number(otherId)]
const client = createClient<paths>({
  baseUrl: address,
  headers: { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` },
})

/** The answer of a call that has to succeed. */
function answerOf<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  assert.equal(error, undefined)
  assert.ok(data !== undefined)
  return data
}

const name = 'openapi-fetch'
for (const principals of [undefined, others]) {
  const { subscribed } = answerOf(
    await client.POST('/api/v1/users/me/subscriptions', {
      body: {
        subscriptions: [{ name, description: 'Made here' }],
        ...(principals && { principals }),
      },
    }),
  )
  assert.deepEqual(Object.values(subscribed), [[name]])
}

const queue = answerOf(
  await client.POST('/api/v1/register', {
    body: {
      event_types: ['message'],
      narrow: [['channel', name]],
      client_capabilities: { notification_settings_null: true },
    },
  }),
)
const inChannel = { type: 'channel', to: name, topic: 'tea', content: 'To a channel' } as const
const { id } = answerOf(await client.POST('/api/v1/messages', { body: inChannel }))
const direct = { type: 'direct', to: others, content: 'To a person' } as const
const directMessage = answerOf(await client.POST('/api/v1/messages', { body: direct }))

const { events } = answerOf(
  await client.GET('/api/v1/events', {
    params: { query: { queue_id: queue.queue_id ?? '', last_event_id: queue.last_event_id } },
  }),
)
assert.deepEqual(
  events.map(({ type }) => type),
  ['message'],
)

for (const anchor of ['newest', id] as const) {
  const narrow = JSON.stringify([{ operator: 'channel', operand: name, negated: false }])
  const { messages } = answerOf(
    await client.GET('/api/v1/messages', { params: { query: { anchor, num_before: 5, narrow } } }),
  )
  assert.equal(messages.at(-1)?.id, id)
}
const { messages } = answerOf(
  await client.GET('/api/v1/messages', {
    params: { query: { message_ids: JSON.stringify([directMessage.id]) } },
  }),
)
assert.deepEqual(
  messages.map(({ type }) => type),
  ['private'],
)
answerOf(
  await client.POST('/api/v1/messages/flags/narrow', {
    body: {
      anchor: id,
      num_before: 0,
      num_after: 0,
      narrow: [['channel', name]],
      op: 'add',
      flag: 'starred',
    },
  }),
)

for (const user_id_or_email of [...others, otherEmail]) {
  const { user } = answerOf(
    await client.GET('/api/v1/users/{user_id_or_email}', {
      params: { path: { user_id_or_email } },
    }),
  )
  assert.equal(user.user_id, others[0])
}

const file = answerOf(
  await client.POST('/api/v1/user_uploads', {
    body: { file: '' },
    bodySerializer: () => {
      const form = new FormData()
      form.append('file', new Blob(['some tea']), 'tea leaves.txt')
      return form
    },
  }),
)
const [, , realm_id_str = '', ...rest] = decodeURIComponent(file.url).split('/')
const content = answerOf(
  await client.GET('/user_uploads/{realm_id_str}/{filename}', {
    params: { path: { realm_id_str: Number(realm_id_str), filename: rest.join('/') } },
    parseAs: 'text',
  }),
)
assert.equal(content, 'some tea')

const refused = await client.GET('/api/v1/messages/{message_id}', {
  params: { path: { message_id: 1_000_000 } },
})
assert.equal(refused.error?.code, 'BAD_REQUEST')

const { removed } = answerOf(
  await client.DELETE('/api/v1/users/me/subscriptions', { body: { subscriptions: [name] } }),
)
assert.deepEqual(removed, [name])
