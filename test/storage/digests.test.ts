import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { databaseColumns, existingDatabase, reportSkippedColumns } from '../support/databases.js'
import { DigestMails } from '../support/digest-mails.js'
import { TestHost, everyDatabase } from '../support/host.js'
import { statementsOf } from '../support/statements.js'

const mails = new DigestMails()

reportSkippedColumns()
for (const column of databaseColumns()) {
  describe(`digests of two processes (${column.name})`, () => {
    it('are sent by one of them each', async () => {
      const one = new TestHost('koa', column, mails.options)
      await one.start()
      const other = new TestHost(
        'express',
        existingDatabase(column, one.databaseConfig),
        mails.options,
      )
      await other.start()
      const cast = await one.organization({ settings: mails.organization })
      const at = { ...cast, host: one, clock: one.clock }
      mails.start(at)
      await cast.people.alice.say(cast.channels.general, 'both', 'news')
      other.clock.jump(one.clock.seconds - other.clock.seconds)
      const elsewhere = { ...at, host: other, clock: other.clock }

      await Promise.all([mails.morning(at), mails.morning(elsewhere)])

      const { olga, adam, mona, bob, carol, gus } = cast.people
      for (const user of [olga, adam, mona, bob, carol, gus]) {
        assert.equal(mails.server.copies(user.email).length, 1, user.name)
      }
      assert.deepEqual([one.log, other.log], [[], []])
      await other.stop()
      await one.stop()
    })
  })
}

everyDatabase(
  'queueing digests',
  'koa',
  (at) => {
    it('takes as many statements for many users as for few', async () => {
      const statements = async () => {
        mails.start(at)
        // The evening before: nothing is due yet.
        const sent = await statementsOf(at.host, () => mails.morning(at, -16))
        return sent.filter(({ sql }) => /u\.timezone|insert into \S*digests/i.test(sql)).length
      }
      await mails.morning(at)
      const few = await statements()
      await mails.morning(at)
      for (let index = 0; index < 60; index += 1) {
        const email = `more${index}@product.example`
        const created = await at.people.olga.post('/users', {
          email,
          full_name: `More ${index}`,
          password: 'correct horse battery staple 42',
        })
        assert.equal(created.status, 200, created.text)
      }
      const many = await statements()

      // For each role two that find users, before and under the lock, and one that stores them.
      assert.deepEqual([few, many], [15, 15])
    })
  },
  mails.options,
  { settings: mails.organization },
)
