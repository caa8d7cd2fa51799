import assert from 'node:assert/strict'
import { it } from 'node:test'

import createKnex from 'knex'

import type { Answer, Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'

const limit = 900
const mebibyte = 1024 * 1024

/** How a list grows: by a new item, and by more text in one. */
interface PersonalList {
  readonly path: string
  readonly add: (client: Client, at: HostCase, content: string) => Promise<Answer>
  /** @param added the answer to `add`. */
  readonly edit: (client: Client, added: Answer, content: string) => Promise<Answer>
}

const draft = (content: string) => ({ type: '', to: [], topic: '', content })

const lists: Readonly<Record<string, PersonalList>> = {
  drafts: {
    path: 'drafts',
    add: (client, _at, content) => client.post('/drafts', { drafts: [draft(content)] }),
    edit: (client, { body }, content) =>
      client.patch(`/drafts/${body.ids[0]}`, { draft: draft(content) }),
  },
  'saved snippets': {
    path: 'saved_snippets',
    add: (client, _at, content) => client.post('/saved_snippets', { title: 'One', content }),
    edit: (client, { body }, content) =>
      client.patch(`/saved_snippets/${body.saved_snippet_id}`, { content }),
  },
  'scheduled messages': {
    path: 'scheduled_messages',
    add: (client, { clock, channels }, content) =>
      client.post('/scheduled_messages', {
        type: 'channel',
        to: channels.general,
        topic: 'later',
        content,
        scheduled_delivery_timestamp: clock.seconds + 86_400,
      }),
    edit: (client, { body }, content) =>
      client.patch(`/scheduled_messages/${body.scheduled_message_id}`, { content }),
  },
}

everyHost(
  'sizes of the lists of a user',
  (at) => {
    for (const [name, { path, add, edit }] of Object.entries(lists)) {
      it(`are limited: ${name}`, async () => {
        const { alice, bob } = at.people
        const refused = (answer: Answer): void => {
          assert.equal(answer.status, 400, answer.text)
          assert.equal(
            answer.body.msg,
            `Too many bytes in the drafts, saved snippets or scheduled messages of a user (limit: ${limit})`,
          )
        }
        const listed = async (): Promise<unknown> => (await alice.get(`/${path}`)).body

        const first = await add(alice, at, 'é'.repeat(100))
        assert.equal(first.status, 200, first.text)
        const before = await listed()
        refused(await add(alice, at, 'é'.repeat(400)))
        refused(await edit(alice, first, 'é'.repeat(500)))
        assert.deepEqual(await listed(), before)
        assert.equal((await edit(alice, first, 'é'.repeat(120))).status, 200)
        assert.equal((await add(bob, at, 'é'.repeat(150))).status, 200)
      })
    }
  },
  {},
  { quotas: { textBytesPerList: limit } },
)

everyHost('sizes of lists of reminders', (at) => {
  it('are limited: later reminders do not quote their messages', async () => {
    const { alice, bob } = at.people
    const message_id = await bob.say(at.channels.design, 'long', 'x'.repeat(9_000))
    const reminder = {
      message_id,
      note: 'Read it',
      scheduled_delivery_timestamp: at.clock.seconds + 86_400,
    }
    assert.equal((await alice.post('/reminders', reminder)).status, 200)
    const knex = createKnex(at.host.databaseConfig)
    try {
      const { id: _id, ...row } = await knex('chat_reminders').where({ message_id }).first()
      await knex.batchInsert('chat_reminders', Array(400).fill(row), 40)
    } finally {
      await knex.destroy()
    }

    const { body, text } = await alice.get('/reminders')

    assert.ok(text.length < 5 * mebibyte, `${text.length} characters`)
    const contents = (body.reminders as { content: string }[]).map(({ content }) => content)
    assert.equal(contents.length, 401)
    const quoted = contents.filter((content) => content.includes('xxx'))
    assert.ok(quoted.length > 100)
    assert.deepEqual(contents.slice(0, quoted.length), quoted)
    const last = contents.at(-1) ?? ''
    assert.match(last, /> Read it\n\n@_\*\*Bob\S* .*\[sent\]\(\S+\) a message\.$/s)
  })
})
