import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import type { Client } from '../support/client.js'
import { crowd, type Crowd } from '../support/crowd.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { FakeRelay } from '../support/fake-relay.js'
import { TestHost } from '../support/host.js'
import { settle } from '../support/push-reader.js'
import { statementsOf } from '../support/statements.js'

const [few, many] = [6, 18]

const relay = await FakeRelay.start()
after(() => relay.stop())

reportSkippedColumns()
for (const column of databaseColumns()) {
  describe(`the statements of deciding who is notified (${column.name})`, () => {
    const host = new TestHost('koa', column, { pushRelay: relay.address })
    const crowds: Crowd[] = []
    before(async () => {
      await host.start()
      for (const [base, size] of [
        [10_000, few],
        [20_000, many],
        [30_000, few],
      ] as const) {
        crowds.push(await crowd(host, base, size))
      }
      for (const at of crowds.slice(0, 2)) {
        for (const client of at.users.map((id) => clientOf(at, id))) {
          const answer = await client.post('/users/me/android_gcm_reg_id', {
            token: `t${client.id}`,
          })
          assert.equal(answer.status, 200, answer.text)
        }
      }
    })
    after(() => host.stop())

    /** A client of one of the crowd's users, with the key of that crowd. */
    const clientOf = ({ olga, users }: Crowd, id: number): Client => {
      const base = olga.id - 1
      const name = `user${id}`
      assert.ok(users.includes(id))
      const apiKey = `${name}${base}`.padEnd(32, 'x')
      return host.client(
        `crowd-${base}`,
        { email: `${name}@crowd-${base}.example`, apiKey },
        id,
        name,
      )
    }

    /**
     * The statements up to the end of the operation's transaction; notifications are sent after it.
     */
    const counted = async (call: (round: number) => Promise<unknown>): Promise<string[]> => {
      for (const round of [0, 1]) await call(round)
      await settle(host)
      const statements = (await statementsOf(host, () => call(2))).map(({ sql }) => sql)
      // The event log is written last.
      const end = statements.findIndex((sql) => /^insert into `chat_events`/i.test(sql))
      assert.ok(end > 0)
      return statements
        .slice(0, end + 1)
        .map((sql) => sql.slice(0, 100))
        .filter((sql) => !sql.includes('event_audiences'))
    }
    const each = async (
      call: (at: Crowd, round: number) => Promise<{ status: number; text: string }>,
    ) => {
      const results: string[][] = []
      for (const at of crowds) {
        results.push(
          await counted(async (round) => {
            const { status, text } = await call(at, round)
            assert.equal(status, 200, text)
          }),
        )
      }
      const [small, large, none] = results as [string[], string[], string[]]
      assert.deepEqual(large, small)
      assert.deepEqual(
        none.filter((sql) => sql.includes('push')),
        [],
      )
      return { withDevices: small.length, without: none.length }
    }

    it('uses the same number for any number of users, and none if no recipient has a device', async () => {
      const { withDevices, without } = await each(({ olga, channels: [to] }) =>
        olga.post('/messages', { type: 'channel', to, topic: 'x', content: '@**all** lunch' }),
      )

      // One writes the user messages of those with devices, one reads the recipients, one marks them
      // as notified, and one stores the notifications.
      assert.equal(withDevices - without, 4)
    })

    it('uses one statement for a message that notifies no user', async () => {
      const { withDevices, without } = await each(({ olga, channels: [to] }) =>
        olga.post('/messages', { type: 'channel', to, topic: 'x', content: 'lunch' }),
      )

      assert.equal(withDevices - without, 1)
    })

    it('uses the same number for any number of users whom an edit mentions or no longer mentions', async () => {
      const ids = new Map<Crowd, number[]>()
      for (const at of crowds) {
        const { olga, channels } = at
        const sent: number[] = []
        for (let round = 0; round < 3; round += 1) {
          sent.push(await olga.say(channels[0] as number, `edit ${round}`, 'lunch'))
        }
        ids.set(at, sent)
      }
      const edit = (content: string) => (at: Crowd, round: number) =>
        at.olga.patch(`/messages/${ids.get(at)?.[round]}`, { content })

      await each(edit('@**all** lunch'))
      await each(edit('no lunch'))
    })
  })
}
