import assert from 'node:assert/strict'
import { it } from 'node:test'

import { DigestMails } from '../support/digest-mails.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import { statementsOf, type Statement } from '../support/statements.js'
import { until } from '../support/waiting.js'

const mails = new DigestMails()
const roundSeconds = 10

/** The statements about due rows of a round of all work with the usual interval. */
async function roundOf(at: HostCase): Promise<Statement[]> {
  const { clock } = at
  const statements = await statementsOf(at.host, async () => {
    const timers = clock.pendingTimers
    clock.jump(roundSeconds)
    assert.ok(clock.fire(roundSeconds) > 1)
    await until('the end of all rounds', () => clock.pendingTimers >= timers)
  })
  return statements.filter(({ sql }) => sql.includes('due_at_seconds'))
}

everyDatabase(
  'work that is due',
  'express',
  (at) => {
    it('is looked for in all tables with one statement', async () => {
      await roundOf(at)

      const statements = await roundOf(at)

      assert.equal(statements.length, 1)
      const tables = ['mail_notifications', 'reminders', 'scheduled_messages', 'invitations']
      for (const name of [...tables, 'outgoing_webhook_calls', 'data_exports']) {
        assert.ok(statements[0]?.sql.includes(`chat_${name}`), name)
      }
    })

    it('is done in the same round', async () => {
      const { alice, bob } = at.people
      await alice.post('/scheduled_messages', {
        type: 'direct',
        to: [bob.id],
        content: 'later',
        scheduled_delivery_timestamp: at.clock.seconds + 15,
      })
      const newest = async () => {
        const narrow = [{ operator: 'dm', operand: [alice.id] }]
        const { body } = await bob.get('/messages', {
          narrow,
          anchor: 'newest',
          num_before: 1,
          num_after: 0,
        })
        return body.messages[0]?.content
      }

      await roundOf(at)
      assert.equal(await newest(), undefined)
      await roundOf(at)
      assert.equal(await newest(), '<p>later</p>')
    })
  },
  mails.options,
)
