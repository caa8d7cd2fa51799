import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, beforeEach, it } from 'node:test'

import {
  ChatError,
  type CommitMessage,
  type OperationMessage,
  type StatementMessage,
} from '@parley/core'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node'

import type { Client } from '../support/client.js'
import { park } from '../support/event-calls.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import { childrenOf, RecordedSpans } from '../support/telemetry.js'
import { until } from '../support/waiting.js'

const spans = new RecordedSpans()
after(() => spans.stop())
beforeEach(() => spans.clear())

/** Unlike anything that the chat itself writes. */
const marker = 'xylophone'

async function ended(name: string): Promise<ReadableSpan> {
  return until(`the span ${name}`, () => spans.ended.find((span) => span.name === name))
}

/** Sends a request within a span of the application. */
async function requestWithin(
  { host }: HostCase,
  user: Client,
  path: string,
  params?: Record<string, string>,
): Promise<{ status: number; span: ReadableSpan }> {
  const { email, apiKey } = user.credentials ?? assert.fail()
  const headers = {
    'x-organization': user.endpoint.subdomain,
    authorization: `Basic ${btoa(`${email}:${apiKey}`)}`,
  }
  const request = new Request(`http://chat.example/api/v1${path}`, {
    headers,
    ...(params !== undefined && { method: 'POST', body: new URLSearchParams(params) }),
  })
  const { status } = await spans.tracer.startActiveSpan('request', async (span) => {
    try {
      return await host.chat.fetch(request)
    } finally {
      span.end()
    }
  })
  return { status, span: await ended('request') }
}

function message(to: number, topic = 'spans', content = marker): Record<string, string> {
  return { type: 'channel', to: String(to), topic, content }
}

everyDatabase(
  'spans of OpenTelemetry',
  'koa',
  (at) => {
    it('continue the span of the application: operation, commit, statements', async () => {
      const { alice } = at.people
      await alice.say(at.channels.general, 'spans', 'warms the caches')
      spans.clear()

      const sent = await requestWithin(at, alice, '/messages', message(at.channels.general))

      assert.equal(sent.status, 200)
      const [operation = assert.fail(), ...others] = childrenOf(spans.ended, sent.span)
      assert.deepEqual(others, [])
      assert.equal(operation.name, 'parley.send-message')
      const { 'parley.organization_id': organizationId, ...attributes } = operation.attributes
      assert.deepEqual(attributes, {
        'parley.operation': 'send-message',
        'parley.via': 'http',
        'parley.status': 200,
      })
      assert.ok(Number(organizationId) > 0)

      const commits = childrenOf(spans.ended, operation).filter(
        ({ name }) => name === 'parley.commit',
      )
      const [commit = assert.fail()] = commits
      assert.deepEqual(commit.attributes, {
        'parley.writes': 1,
        'parley.organization_ids': [organizationId],
        'parley.entries': 1,
      })
      const statements = childrenOf(spans.ended, commit)
      assert.ok(statements.length >= 3)
      assert.deepEqual([...new Set(statements.map(({ name }) => name))], ['parley.statement'])
      const texts = statements.map((span) => String(span.attributes['db.query.text']))
      assert.ok(
        texts.some((text) => /^\s*INSERT INTO [`"]chat_messages[`"]/i.test(text)),
        texts.join('\n'),
      )
      const systems = { mysql: 'mysql', postgres: 'postgresql', sqlite: 'sqlite' }
      const system = systems[at.host.database.name]
      assert.equal(statements[0]?.attributes['db.system.name'], system)
    })

    it('have the status of a refusal and the code of its error, never its text', async () => {
      const { alice } = at.people

      const refused = await requestWithin(at, alice, '/messages', message(at.unknownId))

      assert.equal(refused.status, 400)
      const [operation = assert.fail()] = childrenOf(spans.ended, refused.span)
      assert.equal(operation.attributes['parley.status'], 400)
      assert.equal(operation.attributes['parley.error'], 'STREAM_DOES_NOT_EXIST')
      // Refusing is not failing.
      assert.equal(operation.status.code, 0)
    })

    it('of writes that share a commit are linked to it', async () => {
      const { alice, bob } = at.people

      const all = await Promise.all(
        Array.from({ length: 6 }, () =>
          at.host.chat
            .as({ userId: alice.id, organization: alice.endpoint.subdomain })
            .api.sendMessage({ type: 'direct', to: [bob.id], content: marker }),
        ),
      )

      assert.equal(all.length, 6)
      const operations = spans.ended.filter(({ name }) => name === 'parley.send-message')
      assert.deepEqual(
        operations.map(({ attributes }) => attributes['parley.via']),
        Array(6).fill('application'),
      )
      const commits = spans.ended.filter(({ name }) => name === 'parley.commit')
      const ids = commits.flatMap(({ parentSpanContext, links }) => [
        parentSpanContext?.spanId,
        ...links.map(({ context }) => context.spanId),
      ])
      assert.deepEqual(
        ids.toSorted(),
        operations.map((span) => span.spanContext().spanId).toSorted(),
      )
      assert.ok(commits.length < 6)
    })

    it('continue to the delivery, and are linked from those of durable consumers', async (t) => {
      const { alice, bob } = at.people
      const consumer = at.host.chat.consume('spans', { types: ['message'] }, () => {})
      t.after(() => consumer.stop())
      await consumer.ready()
      const { queueId: queue_id, lastEventId: last_event_id } = await bob.listen({
        event_types: ['message'],
      })
      const poll = await park(bob, at.clock, { queue_id, last_event_id })
      spans.clear()

      await alice.whisper([bob], marker)
      await poll.answer
      await until('the consumer', () => spans.names.includes('parley.consumer'))

      const commit = await ended('parley.commit')
      const delivery = await ended('parley.delivery')
      assert.equal(delivery.parentSpanContext?.spanId, commit.spanContext().spanId)
      assert.deepEqual(delivery.attributes, { 'parley.queues': 1 })
      const handled = await ended('parley.consumer')
      const { 'parley.seq': seq, 'parley.organization_id': id, ...others } = handled.attributes
      assert.deepEqual(others, {
        'parley.consumer': 'spans',
        'parley.event': 'message',
        'parley.attempt': 1,
      })
      assert.ok(Number(seq) > 0 && Number(id) > 0)
      assert.deepEqual(
        handled.links.map(({ context }) => context.spanId),
        [commit.spanContext().spanId],
      )
    })

    it('contain nothing that users have written, and no secrets', async () => {
      const { alice, bob } = at.people
      const { apiKey } = alice.credentials ?? assert.fail()
      const id = await alice.say(at.channels.general, marker, `${marker} once`)
      await alice.patch(`/messages/${id}`, { content: `${marker} twice` })
      await alice.post('/drafts', {
        drafts: [{ type: 'private', to: [bob.id], topic: '', content: marker }],
      })
      await alice.get('/messages', {
        anchor: 'newest',
        num_before: 5,
        num_after: 0,
        narrow: [{ operator: 'search', operand: marker }],
      })
      await alice.post('/fetch_api_key', { username: `${marker}@x.example`, password: marker })
      await alice.get(`/users/${marker}@x.example`)

      await ended('parley.fetch-api-key')
      const all = JSON.stringify(
        spans.ended.map(({ name, attributes, status, events }) => ({
          name,
          attributes,
          status,
          events,
        })),
      )
      assert.ok(all.includes('parley.update-message'))
      assert.ok(!all.includes(marker))
      assert.ok(!all.includes(apiKey))
      assert.ok(!all.includes(alice.email))
    })

    it('do not exist for statements of background work', async () => {
      at.clock.advance(60)
      await at.host.chat.health()
      await requestWithin(at, at.people.alice, '/users/me')

      const statements = spans.ended.filter(({ name }) => name === 'parley.statement')
      assert.deepEqual(
        statements.filter(({ parentSpanContext }) => parentSpanContext === undefined),
        [],
      )
    })
  },
  { telemetry: { tracer: spans.tracer } },
)

everyDatabase('messages on diagnostics channels', 'express', (at) => {
  function collect<Message extends { readonly chat?: object | undefined }>(
    name: string,
  ): { readonly messages: Message[]; end(): void } {
    const messages: Message[] = []
    const listener = (published: unknown): void => {
      // The channels are the process's, which may run other servers.
      const one = published as Message
      if (one.chat === at.host.chat) messages.push(one)
    }
    subscribe(name, listener)
    return { messages, end: () => void unsubscribe(name, listener) }
  }

  it('say what spans say, without any tracer', async () => {
    const { alice } = at.people
    const starts = collect<OperationMessage>('tracing:parley:operation:start')
    const operations = collect<OperationMessage>('tracing:parley:operation:asyncEnd')
    const commits = collect<CommitMessage>('tracing:parley:commit:asyncEnd')
    const statements = collect<StatementMessage>('tracing:parley:statement:asyncEnd')

    await alice.say(at.channels.general, 'channels', marker)
    const refused = await alice.post('/messages', { type: 'direct', to: [0], content: marker })
    for (const collected of [starts, operations, commits, statements]) collected.end()
    await alice.say(at.channels.general, 'channels', 'after the end')

    assert.equal(refused.status, 400)
    assert.equal(starts.messages.length, 2)
    const facts = operations.messages.map(({ operation, via, status, error }) => [
      operation,
      via,
      status,
      error,
    ])
    assert.deepEqual(facts, [
      ['send-message', 'http', 200, undefined],
      ['send-message', 'http', 400, 'BAD_REQUEST'],
    ])
    for (const { durationSeconds } of operations.messages) assert.ok(Number(durationSeconds) > 0)
    const [commit = assert.fail()] = commits.messages
    assert.deepEqual([commit.writes, commit.organizationIds.length], [1, 1])
    assert.ok(Number(commit.entries) >= 1)
    const texts = statements.messages.map(({ text }) => text)
    assert.ok(texts.some((text) => /[`"]chat_messages[`"]/.test(text)))
    assert.ok(!JSON.stringify([facts, texts]).includes(marker))
  })

  it('carry the code of an error of the database, and calls of the application', async () => {
    const { alice } = at.people
    const operations = collect<OperationMessage>('tracing:parley:operation:asyncEnd')
    const failed = collect<OperationMessage>('tracing:parley:operation:error')

    const caller = at.host.chat.as({ userId: alice.id, organization: alice.endpoint.subdomain })
    await assert.rejects(caller.api.getMessage({ message_id: at.unknownId }), ChatError)
    operations.end()
    failed.end()

    const [{ operation, via, status, error } = assert.fail()] = operations.messages
    assert.deepEqual(
      [operation, via, status, error],
      ['get-message', 'application', 400, 'BAD_REQUEST'],
    )
    assert.equal(failed.messages.length, 1)
  })
})
