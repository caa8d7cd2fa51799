import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import type { ChatEvents, EventContext } from '@parley/core'
import createKnex, { type Knex } from 'knex'

import type { Cast } from '../support/cast.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { statementsOf } from '../support/statements.js'
import { until, within } from '../support/waiting.js'

const separate = { types: ['message'], transaction: false } as const
const leaseSeconds = 30
const renewalSeconds = 10

/** A handler that waits for the test at each event. */
class Waiting {
  readonly begun: { text: string; context: EventContext }[] = []
  readonly #ends = new Map<string, () => void>()

  readonly handle = async (
    { message }: ChatEvents['message'],
    context: EventContext,
  ): Promise<void> => {
    const text = message.content
    const ending = new Promise<void>((resolve) => this.#ends.set(text, resolve))
    this.begun.push({ text, context })
    await ending
  }

  get texts(): string[] {
    return this.begun.map(({ text }) => text)
  }

  async at(text: string): Promise<EventContext> {
    const found = await until(
      `the event ${text}`,
      () => this.begun.findLast((begun) => begun.text === text),
      { instead: () => this.texts },
    )
    return found.context
  }

  end(text: string): void {
    this.#ends.get(text)?.()
  }
}

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`a consumer without a transaction (${database.name})`, () => {
    const host = new TestHost('express', database)
    let cast: Cast
    let knex: Knex
    before(async () => {
      await host.start()
      cast = await host.organization()
      knex = createKnex({ ...host.databaseConfig, useNullAsDefault: true })
    })
    after(async () => {
      await knex.destroy()
      await host.stop()
    })

    const say = (text: string, { people, channels } = cast): Promise<number> =>
      people.alice.say(channels.design, 'separate', text)
    const health = async (name: string) => (await host.chat.health()).consumers?.[name]

    it('holds up no other write while its handler waits, and moves its position afterwards', async () => {
      const waiting = new Waiting()
      const consumer = host.chat.consume('slow', separate, waiting.handle)
      await consumer.ready()
      await say('first')
      const { id, organizationId, seq, createdAtSeconds, attempt } = await waiting.at('first')

      await say('second')
      const lagBefore = (await health('slow'))?.lag ?? 0
      waiting.end('first')
      await waiting.at('second')
      waiting.end('second')
      await until('the end of the log', async () => (await health('slow'))?.lag === 0)
      await consumer.stop()

      assert.ok(lagBefore >= 2)
      assert.equal(id, `${organizationId}-${seq}-0`)
      assert.ok(Math.abs(createdAtSeconds - host.clock.seconds) < 60)
      assert.equal(attempt, 1)
      assert.deepEqual(waiting.texts, ['first', 'second'])
    })

    it('gets an event again, with the same id, after a failure, and parks it in the end', async () => {
      const calls: [string, number][] = []
      const options = { ...separate, attempts: 3 }
      const consumer = host.chat.consume('failing', options, ({ message }, { id, attempt }) => {
        calls.push([message.content, attempt])
        if (message.content === 'bad') throw new Error(`not ${id}`)
      })
      await consumer.ready()
      for (const text of ['good', 'bad', 'better']) await say(text)
      await until('the last event', () => {
        host.clock.advance(1)
        return calls.some(([text]) => text === 'better')
      })
      const parked = await host.chat.consumers.listParked('failing')
      await host.chat.consumers.retry('failing')
      await until('the parked event again', () => calls.length > 5)
      await consumer.stop()

      assert.deepEqual(calls.slice(0, 6), [
        ['good', 1],
        ['bad', 1],
        ['bad', 2],
        ['bad', 3],
        ['better', 1],
        ['bad', 1],
      ])
      assert.match(parked[0]?.error ?? '', new RegExp(`Error: not \\d+-${parked[0]?.seq}-0$`))
    })

    it('does not get texts that are deleted before their turn', async () => {
      const waiting = new Waiting()
      const consumer = host.chat.consume('late', separate, waiting.handle)
      await consumer.ready()
      await say('kept')
      const deleted = await say('secret')
      await say('also kept')
      await waiting.at('kept')

      const deletion = await cast.people.olga.delete(`/messages/${deleted}`)
      waiting.end('kept')
      await waiting.at('also kept')
      waiting.end('also kept')
      await consumer.stop()

      assert.equal(deletion.status, 200)
      assert.deepEqual(waiting.texts, ['kept', 'also kept'])
    })

    it('handles several organizations at the same time', async () => {
      const other = await host.organization()
      const waiting = new Waiting()
      const consumer = host.chat.consume('parallel', separate, waiting.handle)
      await consumer.ready()

      await say('here')
      await say('there', other)
      const contexts = [await waiting.at('here'), await waiting.at('there')]
      waiting.end('here')
      waiting.end('there')
      await consumer.stop()

      assert.notEqual(contexts[0]?.organizationId, contexts[1]?.organizationId)
    })

    it('asks its handler to end when it stops, and continues with the same event', async () => {
      const name = 'stopped'
      let hasBegun = false
      const first = host.chat.consume(name, separate, async (_, { signal }) => {
        hasBegun = true
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')))
        })
      })
      await first.ready()
      await say('interrupted')
      await until('the event', () => hasBegun)
      await within('the end', first.stop())

      const attempts: number[] = []
      const second = host.chat.consume(name, separate, (_, { attempt }) => {
        attempts.push(attempt)
      })
      await until('the event again', () => attempts.length > 0)
      await second.stop()

      assert.deepEqual(attempts, [1])
    })

    it('keeps its lease while a handler waits', async () => {
      const other = await host.another('koa')
      const waiting = new Waiting()
      const taking = new Waiting()
      const consumer = host.chat.consume('long', separate, waiting.handle)
      await consumer.ready()
      await say('a long one')
      await waiting.at('a long one')
      const idle = other.chat.consume('long', separate, taking.handle)
      await idle.ready()

      for (let passed = 0; passed < 2 * leaseSeconds; passed += renewalSeconds) {
        host.clock.advance(renewalSeconds)
        await until('the lease to be extended', async () => {
          const row = await knex('chat_consumers')
            .where({ name: 'long' })
            .first<{ leased_until_seconds: number }>()
          return row.leased_until_seconds >= host.clock.seconds + leaseSeconds
        })
        const isOver = other.clock.next('set', 1)
        other.clock.jump(host.clock.seconds - other.clock.seconds - 1)
        other.clock.advance(1)
        await isOver
      }
      const taken = taking.texts
      waiting.end('a long one')
      await consumer.stop()
      await idle.stop()
      await other.stop()

      assert.deepEqual(taken, [])
    })

    for (const notices of [true, false]) {
      const when = notices ? 'during an event' : 'at the end of an event'
      it(`moves no position if it learns ${when} that another process has taken over`, async () => {
        const name = `lost ${when}`
        const other = await host.another('koa')
        const slow = new Waiting()
        const quick: string[] = []
        const consumer = host.chat.consume(name, separate, slow.handle)
        await consumer.ready()
        for (const text of ['one', 'two', 'three']) await say(text)
        const { signal } = await slow.at('one')
        const successor = other.chat.consume(name, separate, ({ message }) => {
          quick.push(message.content)
        })
        // The time of the first process stands still.
        other.clock.jump(leaseSeconds + 1)
        await until('the other process', async () => {
          other.clock.advance(1)
          return quick.length === 3 && (await health(name))?.lag === 0
        })
        const rows = await knex('chat_consumer_cursors').where({ consumer: name })

        if (notices) {
          host.clock.advance(renewalSeconds)
          await until('the signal', () => signal.aborted)
        }
        slow.end('one')
        await consumer.stop()
        const afterwards = await knex('chat_consumer_cursors').where({ consumer: name })
        await successor.stop()
        await other.stop()

        assert.deepEqual(slow.texts, ['one'])
        assert.deepEqual(quick, ['one', 'two', 'three'])
        assert.deepEqual(afterwards, rows)
      })
    }

    it('has no batches', () => {
      const options = { ...separate, batch: 2 } as never
      assert.throws(() => host.chat.consume('x', options, () => {}), {
        name: 'TypeError',
        message: /^chat\.consume: batch is the number of events in one transaction/,
      })
    })
  })

  describe(`consumers without work (${database.name})`, () => {
    it('cost one statement a second, all consumers of a process together', async () => {
      const host = new TestHost('koa', database)
      await host.start()
      const { alice, bob } = (await host.organization()).people
      const seen: string[] = []
      const consumers = ['one', 'two', 'three'].map((name) =>
        name === 'three'
          ? host.chat.consume(name, separate, ({ message }) => void seen.push(message.content))
          : host.chat.consume(name, { types: ['message'] }, ({ message }) => {
              seen.push(message.content)
            }),
      )
      for (const consumer of consumers) await consumer.ready()
      const caughtUp = async (): Promise<boolean> => {
        host.clock.advance(1)
        const states = Object.values((await host.chat.health()).consumers ?? {})
        return states.length === 3 && states.every(({ lag }) => lag === 0)
      }
      await alice.whisper([bob], 'hello')
      await until('all to have no work', caughtUp)
      assert.deepEqual(seen, ['hello', 'hello', 'hello'])

      const pass = async (seconds: number): Promise<void> => {
        for (let second = 0; second < seconds; second += 1) {
          const isNoted = host.clock.next('set', 1)
          host.clock.advance(1)
          // The uses of queues, of which there are none, need no statement: that timer comes first.
          await isNoted
          await host.clock.next('set', 1)
        }
      }
      /** The statements of consumers, without those of the log's upkeep, which asks for minima. */
      const looksIn = async (seconds: number) => {
        const statements = await statementsOf(host, () => pass(seconds))
        return statements.filter(({ sql }) => sql.includes('consumer') && !sql.includes('MIN('))
      }
      await until('the last of their work', async () => (await looksIn(20)).length === 20)
      const looks = await looksIn(60)
      await host.stop()

      assert.equal(looks.length, 60, [...new Set(looks.map(({ sql }) => sql))].join('\n'))
    })
  })
}
