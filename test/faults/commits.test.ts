import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { inspect } from 'node:util'

import createKnex from 'knex'

import { allDatabaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import type { Cast } from '../support/cast.js'
import { faulty, unavailable, type Fault } from './faulty-client.js'

const commit = /^\s*commit/i

reportSkippedColumns()

for (const plain of allDatabaseColumns()) {
  describe(`a commit that fails (${plain.title})`, () => {
    const { column, faults } = faulty(plain)
    const host = new TestHost('express', column)
    let cast: Cast
    const fail = (fault: Partial<Fault>): void => {
      const error = unavailable(plain.name)
      faults.push({ when: 'before', statement: commit, error, times: 1, ...fault })
    }

    before(async () => {
      await host.start()
      cast = await host.organization()
    })
    after(() => host.stop())

    it('returns 503 and sends no event', async () => {
      const { alice, bob } = cast.people
      const feed = await bob.listen({ event_types: ['message'] })

      fail({})
      const answer = await alice.post('/messages', {
        type: 'direct',
        to: [bob.id],
        content: 'lost',
      })

      assert.equal(answer.status, 503)
      assert.equal(answer.body.result, 'error')
      assert.equal(typeof answer.body.msg, 'string')
      assert.equal(answer.headers['retry-after'], '1')
      assert.deepEqual(await feed.drain(), [])
    })

    it('is logged with its statement, but without the content', async () => {
      const { alice, bob } = cast.people
      const words = "Duplicate entry 'between us' of a kind"
      const problem = Object.assign(new Error(words), { sql: 'between us', sqlMessage: words })
      host.log.length = 0

      fail({ statement: /^\s*insert into .chat_messages/i, error: problem })
      const params = { type: 'direct', to: [bob.id], content: 'between us' }
      const { status } = await alice.post('/messages', params)

      assert.equal(status, 500)
      assert.equal(host.log.length, 1)
      assert.match(
        host.log[0] as string,
        /INSERT INTO .chat_messages.* - Duplicate entry '…' of a/s,
      )
      assert.doesNotMatch(inspect(problem) + host.log.join(), /between us/)
    })

    it('does not affect the next messages', async () => {
      const { alice, bob } = cast.people
      const feed = await bob.listen({ event_types: ['message'] })

      fail({ times: 2 })
      const statuses = []
      for (const content of ['one', 'two', 'three', 'four']) {
        const params = { type: 'direct', to: [bob.id], content }
        statuses.push((await alice.post('/messages', params)).status)
      }
      const events = await feed.drain()

      assert.deepEqual(statuses, [503, 503, 200, 200])
      assert.deepEqual(
        events.map((event) => event['message'].content),
        ['three', 'four'],
      )
    })

    it('sends its message at most once if the commit succeeded but its response was lost', async () => {
      const { alice, bob } = cast.people
      const feed = await bob.listen({ event_types: ['message'] })

      fail({ when: 'after' })
      const params = { type: 'direct', to: [bob.id], content: 'perhaps' }
      const { status } = await alice.post('/messages', params)
      host.clock.fire(0.25)
      const events = await feed.drain()

      if (plain.name === 'sqlite') {
        assert.equal(status, 503)
        // Not acknowledged: it may be sent or not, but not twice.
        assert.ok(events.length <= 1)
        return
      }
      // A server is asked what happened.
      assert.equal(status, 200)
      assert.deepEqual(
        events.map((event) => event['message'].content),
        ['perhaps'],
      )
    })

    it('does not end waiting polls', async () => {
      const { alice, bob } = cast.people
      const feed = await bob.listen({ event_types: ['message'] })
      const isParked = host.clock.next('set', 45, 55)

      const poll = feed.poll()
      await isParked
      fail({})
      await alice.post('/messages', { type: 'direct', to: [bob.id], content: 'lost' })
      await alice.whisper([bob], 'found')

      assert.deepEqual(
        (await poll).map((event) => event['message'].content),
        ['found'],
      )
    })
  })

  describe(`messages that are sent in one transaction (${plain.title})`, () => {
    const host = new TestHost('koa', plain)
    let cast: Cast

    before(async () => {
      await host.start()
      cast = await host.organization()
      const pool = createKnex(host.databaseConfig)
      for (const statement of poison[plain.name]) await pool.raw(statement)
      await pool.destroy()
    })
    after(() => host.stop())

    for (const text of ['poison at once', 'poison at the end']) {
      it(`do not fail because of one that fails: ${text}`, async () => {
        const { alice, bob, carol } = cast.people
        const feed = await carol.listen({ event_types: ['message'] })
        const contents = Array.from({ length: 20 }, (_, index) =>
          index % 7 === 3 ? `${text} ${index}` : `fine ${text.length} ${index}`,
        )

        const answers = await Promise.all(
          contents.map((content, index) =>
            (index % 2 === 0 ? alice : bob).post('/messages', {
              type: 'direct',
              to: [carol.id],
              content,
            }),
          ),
        )
        const received = (await feed.drain()).map(
          (event) => event['message'] as { id: number; content: string },
        )

        const statusOf = (content: string): number => (content.startsWith('fine') ? 200 : 500)
        assert.deepEqual(
          answers.map((answer) => answer.status),
          contents.map(statusOf),
        )
        const acknowledged = answers.flatMap((answer) => answer.body.id ?? [])
        assert.deepEqual(
          received.map(({ id }) => id).sort((a, b) => a - b),
          acknowledged.sort((a, b) => a - b),
        )
        assert.deepEqual(
          new Set(received.map(({ content }) => content)),
          new Set(contents.filter((content) => content.startsWith('fine'))),
        )
      })
    }
  })
}

/**
 * Makes some messages fail: some on insert, some only at the commit if the database allows that.
 */
const poison = {
  sqlite: [
    `CREATE TRIGGER poison_at_once AFTER INSERT ON chat_messages
       WHEN NEW.content LIKE 'poison at once%' BEGIN SELECT RAISE(ABORT, 'poison'); END`,
    `CREATE TABLE poison (organization_id INTEGER
       REFERENCES chat_organizations (id) DEFERRABLE INITIALLY DEFERRED)`,
    `CREATE TRIGGER poison_at_the_end AFTER INSERT ON chat_messages
       WHEN NEW.content LIKE 'poison at the end%' BEGIN INSERT INTO poison VALUES (-1); END`,
  ],
  mysql: [
    `CREATE TRIGGER poison AFTER INSERT ON chat_messages FOR EACH ROW
       IF NEW.content LIKE 'poison%' THEN SIGNAL SQLSTATE '45000'; END IF`,
  ],
  postgres: [
    `CREATE TABLE poison (organization_id INTEGER
       REFERENCES chat_organizations (id) DEFERRABLE INITIALLY DEFERRED)`,
    `CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF NEW.content LIKE 'poison at once%' THEN RAISE 'poison'; END IF;
       IF NEW.content LIKE 'poison at the end%' THEN INSERT INTO poison VALUES (-1); END IF;
       RETURN NEW; END $$`,
    `CREATE TRIGGER poison AFTER INSERT ON chat_messages FOR EACH ROW EXECUTE FUNCTION poison()`,
  ],
}
