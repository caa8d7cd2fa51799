import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'

import { verifyWebhook, type WebhookDelivery, type WebhookOption } from '@parley/core'

import type { Cast } from '../support/cast.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { until } from '../support/waiting.js'
import { WebhookProgram, type ProgramCall } from '../support/webhook-program.js'

const secret = 'the secret of this receiver, of 32 or more'
const newSecret = 'the next secret of this receiver, also long'
const timeoutSeconds = 15

/** The content of a call; the signature has the time of the test's clock. */
function deliveryOf({ body, headers }: ProgramCall, key = secret): WebhookDelivery | undefined {
  const signature = headers['parley-signature']
  return verifyWebhook({ payload: body, signature, secret: key, toleranceSeconds: Infinity })
}

/** Lets a second pass, but no request take longer for it than it takes. */
function passSecond(...hosts: readonly TestHost[]): void {
  if (hosts.some(({ clock }) => clock.has(timeoutSeconds))) return
  for (const { clock } of hosts) clock.advance(1)
}

function textOf(call: ProgramCall): string {
  const delivery = deliveryOf(call)
  assert.ok(delivery?.type === 'message')
  return delivery.event.message.content
}

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`webhooks (${database.name})`, () => {
    let programs: readonly [WebhookProgram, WebhookProgram]
    let webhooks: WebhookOption[]
    let host: TestHost
    let cast: Cast
    before(async () => {
      programs = [await WebhookProgram.start(), await WebhookProgram.start()]
      const common = { types: ['message'], privateHosts: ['127.0.0.1'] } as const
      webhooks = [
        { ...common, url: programs[0].url, secret, name: 'first', attempts: 3 },
        { ...common, url: programs[1].url, secret: [newSecret, secret], name: 'second' },
      ]
      host = new TestHost('express', database, { webhooks })
      await host.start()
      cast = await host.organization()
    })
    after(async () => {
      await host.stop()
      for (const program of programs) await program.stop()
    })

    const say = (text: string): Promise<number> =>
      cast.people.alice.say(cast.channels.design, 'hooks', text)
    /** Forgets the calls so far, once there are no more; the next ones get these answers. */
    const reset = async (answers: WebhookProgram['answers'] = []): Promise<WebhookProgram> => {
      await pass('the end of earlier calls', async () => {
        const states = [await state('first'), await state('second')]
        return states.every((one) => one?.lag === 0)
      })
      for (const program of programs) {
        program.calls.length = 0
        program.answers = []
      }
      programs[0].answers = answers
      return programs[0]
    }
    const state = async (name: string) => (await host.chat.health()).consumers?.[name]
    const pass = async (what: string, look: () => unknown): Promise<void> => {
      await until(what, async () => {
        passSecond(host)
        return Boolean(await look())
      })
    }

    it('send each event as signed JSON', async () => {
      const program = await reset()
      const { alice } = cast.people
      const id = await say('hello')
      const call = await program.called(1)
      const delivery = deliveryOf(call)

      assert.ok(delivery?.type === 'message')
      const { event, ...facts } = delivery
      assert.deepEqual([event.type, event.message.id], ['message', id])
      assert.equal(event.message.content, 'hello')
      assert.deepEqual(Object.keys(facts).toSorted(), [
        'external_ids',
        'id',
        'organization',
        'organization_id',
        'seq',
        'timestamp',
        'type',
      ])
      assert.equal(facts.organization, cast.subdomain)
      assert.equal(facts.id, `${facts.organization_id}-${facts.seq}-0`)
      assert.ok(Math.abs(facts.timestamp - host.clock.seconds) < 10)
      assert.equal(event.message.sender_id, alice.id)
      assert.ok(!('organizationId' in event))
      const { method, headers } = call
      assert.deepEqual(
        [method, headers['content-type'], headers['parley-event-id'], headers['user-agent']],
        ['POST', 'application/json', facts.id, 'Parley-Webhooks'],
      )
    })

    it('sign with the old and the new secret while it changes', async () => {
      await reset()
      await say('changing')
      const call = await programs[1].called(1)

      const ids = [secret, newSecret, [secret], ['another secret', newSecret]].map(
        (key) =>
          verifyWebhook({
            payload: call.body,
            signature: call.headers['parley-signature'],
            secret: key,
            toleranceSeconds: Infinity,
          })?.id,
      )
      assert.equal(new Set(ids).size, 1)
      assert.notEqual(ids[0], undefined)
      assert.equal(deliveryOf(call, 'another secret'), undefined)
    })

    it('are sent again if the receiver refuses or redirects them, in order and with the same id', async () => {
      const program = await reset([
        { status: 500 },
        { status: 302, headers: { location: '/other' } },
      ])
      await say('one')
      await say('two')
      await pass('all calls', () => program.calls.length === 4)

      assert.deepEqual(program.calls.map(textOf), ['one', 'one', 'one', 'two'])
      const ids = program.calls.map((call) => call.headers['parley-event-id'])
      assert.equal(new Set(ids).size, 2)
      assert.ok(program.calls.every(({ path }) => path === '/hook?x=1'))
    })

    it('are parked after the last attempt, and sent again when asked to', async () => {
      const program = await reset([{ status: 400 }, { status: 503 }, { status: 500 }])
      await say('bad')
      await say('next')
      await pass('the next event', () => program.calls.length === 4)
      await pass('a parked event', async () => (await state('first'))?.parked === 1)
      const [parked] = await host.chat.consumers.listParked('first')
      assert.equal(await host.chat.consumers.retry('first'), 1)
      await pass('no parked event', async () => (await state('first'))?.parked === 0)

      assert.equal(parked?.error, 'Error: The receiver has answered 500')
      assert.equal(parked.attempts, 3)
      assert.deepEqual(program.calls.map(textOf), ['bad', 'bad', 'bad', 'next', 'bad'])
    })

    it('are parked at once if the receiver answers 410', async () => {
      const program = await reset([{ status: 410 }])
      await say('unwanted')
      await say('wanted')
      await program.called(2)
      await pass('a parked event', async () => (await state('first'))?.parked === 1)
      const [parked] = await host.chat.consumers.listParked('first')
      await host.chat.consumers.retry('first')
      await pass('no parked event', async () => (await state('first'))?.parked === 0)

      assert.equal(parked?.error, 'PermanentFailure: The receiver has answered 410')
      assert.deepEqual(program.calls.map(textOf), ['unwanted', 'wanted', 'unwanted'])
    })

    it('do not wait for a slow receiver of others, nor forever', async () => {
      const program = await reset([{ hangs: true }])
      const before = host.log.length
      for (const text of ['a', 'b', 'c']) await say(text)
      await programs[1].called(3)
      await program.called(1)
      await until('the other one', async () => (await state('second'))?.lag === 0)
      const whileHanging = program.calls.length
      await until('the limit of time', () => host.clock.has(timeoutSeconds))

      host.clock.advance(timeoutSeconds)
      await pass('the others', () => program.calls.length === 4)
      program.release()

      assert.equal(whileHanging, 1)
      assert.deepEqual(programs[1].calls.map(textOf), ['a', 'b', 'c'])
      assert.deepEqual(program.calls.map(textOf), ['a', 'a', 'b', 'c'])
      assert.match(host.log.slice(before).join('\n'), /has not answered in 15 seconds/)
    })

    it('are sent by one process at a time', async () => {
      const program = await reset()
      const other = await host.another('koa', { webhooks })
      const texts = Array.from({ length: 10 }, (_, index) => `text ${index}`)
      // Less time than a lease lasts, so that a slow machine does not let one end.
      for (const text of texts) {
        await say(text)
        passSecond(host, other)
      }
      await until('all calls', () => program.calls.length >= texts.length)
      await other.stop()

      assert.deepEqual(program.calls.map(textOf), texts)
    })
  })
}

describe('the receivers of webhooks', () => {
  const [database] = databaseColumns()
  assert.ok(database !== undefined)
  /** Sends one event to a receiver, and returns the log. */
  async function deliver(webhook: Omit<WebhookOption, 'secret'>, isOver: RegExp): Promise<void> {
    assert.ok(database !== undefined)
    const only = { ...webhook, types: ['message'], secret, name: 'only' } as const
    const host = new TestHost('koa', database, { webhooks: [only] })
    await host.start()
    const { alice, bob } = (await host.organization()).people
    await alice.whisper([bob], 'hello')
    await until(
      String(isOver),
      async () => {
        passSecond(host)
        const lag = (await host.chat.health()).consumers?.['only']?.lag
        return isOver.test(`${host.log.join('\n')} lag ${lag}`)
      },
      { instead: () => host.log },
    )
    await host.stop()
  }

  it('are not called if their name leads to a private address', async () => {
    const program = await WebhookProgram.start()
    const url = `https://localhost:${program.port}/`

    await deliver({ url }, /The host of the receiver has a private address/)
    await program.stop()

    assert.deepEqual(program.calls, [])
  })

  it('have received an event if their status says so, whatever follows', async () => {
    const responses: ServerResponse[] = []
    const server = createServer((request, response) => {
      request.resume()
      responses.push(response)
      response.writeHead(200)
      response.write('x'.repeat(100_000))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/`

    await deliver({ url, privateHosts: ['127.0.0.1'] }, /lag 0/)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))

    assert.equal(responses.length, 1)
  })
})
