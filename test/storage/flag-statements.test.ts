import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyDatabase } from '../support/host.js'
import { statementsOf } from '../support/statements.js'

everyDatabase('a flag of the messages of a narrow', 'koa', (at) => {
  it('is changed with a search, and one read and one write of user messages, whether the ids have gaps or not', async () => {
    const { alice, bob } = at.people
    const { design, general } = at.channels
    for (const channel of [design, design, general, design]) {
      await alice.post('/messages', { type: 'channel', to: channel, topic: 'a', content: 'Hello' })
    }
    for (const [channel, count] of [
      [design, 3],
      [general, 1],
    ] as const) {
      const change = async (op: string): Promise<void> => {
        const { body } = await bob.post('/messages/flags/narrow', {
          op,
          flag: 'starred',
          anchor: 'newest',
          num_before: 100,
          num_after: 0,
          narrow: [{ operator: 'channel', operand: channel }],
        })
        assert.equal(body.updated_count, count)
      }
      // It writes what the user has received.
      await change('add')
      await change('remove')
      const statements = await statementsOf(at.host, () => change('add'))
      const sql = statements.map((statement) => statement.sql)
      const about = sql.filter((text) => text.includes('chat_user_messages'))
      assert.equal(about.filter((text) => /^update/i.test(text)).length, 1)
      assert.equal(about.length, 3, about.join('\n'))
    }
    const starred = await bob.get('/messages', {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: [{ operator: 'is', operand: 'starred' }],
    })
    assert.equal(starred.body.messages.length, 4)
  })
})
