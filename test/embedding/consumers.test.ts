import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import type { ChatConsumer, ConsumerContext, ParkedEvent } from '@parley/core'
import createKnex, { type Knex } from 'knex'

import type { Cast } from '../support/cast.js'
import { allDatabaseColumns, reportSkippedColumns } from '../support/databases.js'
import { sweepAlone } from '../support/event-calls.js'
import { TestHost } from '../support/host.js'
import { until } from '../support/waiting.js'

const day = 24 * 60 * 60
const messages = { types: ['message'] } as const

reportSkippedColumns()
for (const database of allDatabaseColumns()) {
  describe(`a durable consumer (${database.name})`, () => {
    const host = new TestHost('koa', database)
    let cast: Cast
    let knex: Knex
    before(async () => {
      await host.start()
      cast = await host.organization()
      knex = createKnex({ ...host.databaseConfig, useNullAsDefault: true })
      await knex.schema.createTable('bills', (t) => {
        t.increments('id')
        t.string('text', 100)
      })
    })
    after(async () => {
      await knex.destroy()
      await host.stop()
    })

    const say = (text: string): Promise<number> =>
      cast.people.alice.whisper([cast.people.bob], text)
    const bills = async (): Promise<string[]> =>
      (await knex('bills').orderBy('id').select<{ text: string }[]>('text')).map(({ text }) => text)
    const health = async (name: string) => (await host.chat.health()).consumers?.[name]
    const parked = async (name: string): Promise<readonly ParkedEvent[]> =>
      host.chat.consumers.listParked(name)
    /** Collects the texts of messages. */
    async function collect(
      name: string,
      from: 'end' | 'beginning' | number,
      chat = host.chat,
    ): Promise<{ consumer: ChatConsumer; texts: string[] }> {
      const texts: string[] = []
      const consumer = chat.consume(name, { ...messages, from }, ({ message }) => {
        texts.push(message.content)
      })
      await consumer.ready()
      return { consumer, texts }
    }

    it('handles what is committed from then on, at once, and continues after a stop', async () => {
      await say('before')
      const first = await collect('continuing', 'end')

      await say('one')
      await say('two')
      await until('two events', () => first.texts.length === 2)
      await first.consumer.stop()
      await say('three')
      const second = await collect('continuing', 'end')
      await until('the third', () => second.texts.length > 0)
      await second.consumer.stop()

      assert.deepEqual([first.texts, second.texts], [['one', 'two'], ['three']])
      assert.deepEqual((await health('continuing'))?.parked, 0)
    })

    it('starts at the beginning or at an event if it is asked to', async () => {
      const seqs: number[] = []
      const all = host.chat.consume(
        'all',
        { ...messages, from: 'beginning', batch: 2 },
        ({ message, organizationId }, context) => {
          assert.equal(context.organizationId, organizationId)
          if (['one', 'two', 'three'].includes(message.content)) seqs.push(context.seq)
        },
      )
      await until('all events', () => seqs.length === 3)
      await all.stop()

      const { consumer, texts } = await collect('from two', seqs[1] ?? 0)
      await until('the rest', () => texts.includes('three'))
      await consumer.stop()

      assert.deepEqual(texts, ['two', 'three'])
    })

    it('moves together with what the handler writes in its transaction', async () => {
      const name = 'billing'
      let fails = true
      const consumer = host.chat.consume(
        name,
        messages,
        async ({ message }, { trx, attempt }: ConsumerContext<Knex.Transaction>) => {
          await trx('bills').insert({ text: `${message.content}, ${attempt}` })
          if (fails && message.content === 'second') throw new Error('not now')
        },
      )
      await consumer.ready()
      host.log.length = 0
      for (const text of ['first', 'second', 'third']) await say(text)
      await until('the failure', () => host.log.join('\n').includes('not now'))
      await until('the first', async () => (await bills()).length > 0)
      assert.deepEqual(await bills(), ['first, 1'])

      fails = false
      host.clock.advance(1)
      await until('the others', async () => (await bills()).length === 3)
      await consumer.stop()

      assert.deepEqual(await bills(), ['first, 1', 'second, 2', 'third, 1'])
    })

    it('parks an event after the attempts, says so, and tries it again when asked to', async () => {
      const name = 'parking'
      let fails = true
      const texts: string[] = []
      const consumer = host.chat.consume(name, { ...messages, attempts: 3 }, ({ message }) => {
        if (fails && message.content === 'bad') throw new Error('a bad one')
        texts.push(message.content)
      })
      await consumer.ready()
      for (const text of ['good', 'bad', 'better']) await say(text)
      await until('the event to be parked', async () => {
        host.clock.advance(1)
        return (await parked(name)).length > 0
      })
      await until('the next event', () => texts.length === 2)

      assert.deepEqual(texts, ['good', 'better'])
      const [event] = await parked(name)
      assert.deepEqual([event?.attempts, event?.error], [3, 'Error: a bad one'])
      assert.deepEqual(await until('no lag', () => caughtUp(name)), {
        lag: 0,
        parked: 1,
        missed: 0,
      })

      fails = false
      assert.equal(await host.chat.consumers.retry(name), 1)
      await until('the parked event', () => texts.length === 3)
      await until('nothing to be parked', async () => (await parked(name)).length === 0)
      await consumer.stop()
      await host.chat.consumers.remove(name)
      assert.equal(await health(name), undefined)
    })

    it('calls operations of the chat in its transaction', async () => {
      const { subdomain: organization, people } = cast
      const bot = host.chat.as({ userId: people.bob.id, organization })
      const consumer = host.chat.consume('answers', messages, async ({ message }, { trx }) => {
        if (message.content !== 'a question') return
        const answer = { type: 'direct', to: [message.sender_id], content: 'an answer' } as const
        await bot.api.sendMessage(answer, { within: trx })
      })
      await consumer.ready()
      const feed = await people.alice.listen({ event_types: ['message'] })
      const received: string[] = []

      await say('a question')
      await until('the answer', async () => {
        for (const event of await feed.drain()) received.push(event['message'].content)
        return received.includes('an answer')
      })
      await consumer.stop()
      assert.deepEqual(received, ['a question', 'an answer'])
    })

    it('handles each event in one process only, and another one takes over', async () => {
      const other = await host.another('express')
      const one = await collect('shared', 'end')
      const two = await collect('shared', 'end', other.chat)

      const sent = Array.from({ length: 20 }, (_, index) => `shared ${index}`)
      const [early, late] = [sent.slice(0, 10), sent.slice(10)]
      for (const text of early) await say(text)
      // The process that has not sent them finds them with its next poll.
      await until('all of them', () => {
        host.clock.advance(1)
        other.clock.advance(1)
        return one.texts.length + two.texts.length === early.length
      })
      const [holder, waiting] = one.texts.length > 0 ? [one, two] : [two, one]
      await holder.consumer.stop()
      for (const text of late) await say(text)
      await until('the other one', () => {
        host.clock.advance(1)
        other.clock.advance(1)
        return waiting.texts.length === late.length
      })
      await waiting.consumer.stop()
      await other.stop()

      assert.deepEqual([holder.texts, waiting.texts], [early, late])
    })

    it('keeps what it has not handled in the log, for a week, and reports what was lost', async () => {
      const name = 'slow'
      const { consumer } = await collect(name, 'end')
      await consumer.stop()
      await say('kept')
      const lag = async () => (await health(name))?.lag ?? 0
      assert.ok((await lag()) > 0)

      await sweepAlone(host.clock, day)
      const second = await collect(name, 'end')
      await until('the kept event', () => second.texts.length > 0)
      await second.consumer.stop()
      assert.deepEqual(second.texts, ['kept'])

      await say('lost')
      await sweepAlone(host.clock, 8 * day)
      host.log.length = 0
      const third = await collect(name, 'end')
      await say('new')
      await until('the new event', () => third.texts.length > 0)
      await third.consumer.stop()
      assert.deepEqual(third.texts, ['new'])
      assert.ok(((await health(name))?.missed ?? 0) > 0)
      assert.match(host.log.join('\n'), /A consumer has missed entries/)
    })

    it('is refused with wrong options', async () => {
      const { chat } = host
      const ignore = (): void => {}
      const wrong = (message: RegExp) => ({ name: 'TypeError', message })
      assert.throws(() => chat.consume('', {}, ignore), wrong(/the name must be/))
      assert.throws(
        () => chat.consume('x', { types: ['typing/start'] }, ignore),
        wrong(/there is no event 'typing\/start'/),
      )
      assert.throws(() => chat.consume('x', { batch: 0 }, ignore), wrong(/batch must be/))
      assert.throws(() => chat.consume('x', { from: 0 }, ignore), wrong(/from must be/))
      assert.throws(() => chat.consume('x', { type: 1 } as never, ignore), wrong(/no type$/))
      assert.throws(() => chat.consume('x', {}, undefined as never), wrong(/needs a function/))
      const consumer = chat.consume('x', {}, ignore)
      assert.throws(() => chat.consume('x', {}, ignore), wrong(/consumed by this server already/))
      await assert.rejects(chat.consumers.remove('x'), wrong(/is running/))
      await consumer.stop()
    })

    async function caughtUp(name: string) {
      host.clock.advance(1)
      const state = await health(name)
      return state?.lag === 0 ? state : undefined
    }
  })
}
