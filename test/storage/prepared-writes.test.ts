import assert from 'node:assert/strict'
import { it } from 'node:test'

import createKnex from 'knex'

import type { Answer, Client } from '../support/client.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import { statementsOf } from '../support/statements.js'
import { refuseChanges } from '../support/refusing-trigger.js'

everyDatabase('messages that are sent at the same time', 'express', (at) => {
  const send = (by: Client, content: string, to: number = at.channels.general) =>
    by.post('/messages', { type: 'channel', to, topic: 'at once', content })

  it('share their statements, however many they are', async () => {
    const { bob, carol } = at.people
    const sendAtOnce = async (count: number): Promise<void> => {
      const answers = await Promise.all(
        Array.from({ length: count }, (_, index) =>
          send(index % 2 === 0 ? bob : carol, `Message ${index}`),
        ),
      )
      for (const answer of answers) assert.equal(answer.status, 200, answer.text)
    }
    await sendAtOnce(4)

    const statements = await statementsOf(at.host, () => sendAtOnce(50))

    const inserts = statements.filter(({ sql }) => /^insert into .chat_messages/i.test(sql))
    // The first commits alone, unless it is prepared together with the others.
    assert.ok(inserts.length <= 8, `${inserts.length} commits`)
    const ofWords = statements.filter(({ sql }) => sql.includes('chat_message_words'))
    const isIndexedLater = at.host.database.name !== 'sqlite'
    assert.equal(ofWords.length, isIndexedLater ? 0 : inserts.length)
    const most = inserts.length * 10 + 5
    assert.ok(
      process.env.CHAT_TEST_FORCE_REPREPARE === '1' || statements.length <= most,
      statements.map(({ sql }) => sql.slice(0, 80)).join('\n'),
    )
  })

  it('fail alone, if they are refused or their rows are', async () => {
    const { bob, carol } = at.people
    await refuseContent(at, 'poison')
    const contents = Array.from({ length: 12 }, (_, index) => (index === 5 ? 'poison' : `${index}`))

    const answers = await Promise.all([
      ...contents.map((content) => send(bob, content)),
      // Carol may not see this channel.
      send(carol, 'to nobody', 424_242),
    ])

    const outcomes = answers.map(({ status, body }) => (status === 200 ? 'sent' : body.code))
    const expected = contents.map((content) =>
      content === 'poison' ? 'INTERNAL_SERVER_ERROR' : 'sent',
    )
    assert.deepEqual(outcomes, [...expected, 'STREAM_DOES_NOT_EXIST'])
    const stored = await messagesOf(bob, 'at once')
    for (const content of contents) {
      const count = stored.filter((text) => text === `<p>${content}</p>`).length
      assert.equal(count, content === 'poison' ? 0 : 1, content)
    }
  })

  it('change the policy for their topic once', async () => {
    const { bob } = at.people
    await bob.patch('/settings', { automatically_follow_topics_policy: 3 })
    const start = (content: string): Promise<Answer> =>
      bob.post('/messages', {
        type: 'channel',
        to: at.channels.general,
        topic: 'a new topic',
        content,
      })

    const answers = await Promise.all([start('1'), start('2'), start('3')])

    const policies = answers.map(({ body }) => body.automatic_new_visibility_policy ?? 'unchanged')
    assert.deepEqual(policies.sort(), [3, 'unchanged', 'unchanged'])
  })

  it('see what another message of the same commit has changed', async () => {
    const { bob, carol } = at.people
    const direct = (by: Client, to: number): Promise<Answer> =>
      by.post('/messages', { type: 'direct', to: [to], content: 'Hello' })

    const answers = await Promise.all([
      direct(bob, carol.id),
      direct(carol, bob.id),
      direct(bob, carol.id),
    ])

    for (const answer of answers) assert.equal(answer.status, 200, answer.text)
    const knex = createKnex(at.host.databaseConfig)
    const recipients = await knex('chat_messages')
      .whereIn(
        'id',
        answers.map(({ body }) => body.id),
      )
      .distinct('recipient_id')
    await knex.destroy()
    assert.equal(recipients.length, 1)
  })
})

/** Makes the database refuse messages with this content. */
async function refuseContent(at: HostCase, content: string): Promise<void> {
  const knex = createKnex(at.host.databaseConfig)
  const when = `NEW.content = '${content}'`
  await refuseChanges(knex, { name: 'refuse', table: 'chat_messages', change: 'INSERT', when })
  await knex.destroy()
}

async function messagesOf(reader: Client, topic: string): Promise<string[]> {
  const { body } = await reader.get('/messages', {
    anchor: 'newest',
    num_before: 200,
    num_after: 0,
    narrow: [{ operator: 'topic', operand: topic }],
  })
  return (body.messages as { content: string }[]).map(({ content }) => content)
}
