import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import { bytesOf } from '../support/archives.js'
import { Client, type Answer } from '../support/client.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { callerOf, unused } from '../support/examples/example.js'
import { examples } from '../support/examples/index.js'
import { TestHost, type HostCase } from '../support/host.js'
import { upload } from '../support/uploads.js'
import { refuseChanges } from '../support/refusing-trigger.js'

// A dynamic import, because the tests do not otherwise depend on the internals of the core.
const { allOperations } = await import('../../packages/core/src/resources/index.js')

/** Answers that no two calls share. */
const notComparable = new Set([
  'get-audit-log',
  'get-events',
  'get-file-temporary-url',
  'get-presence',
])

interface Received {
  readonly messageId: number
  /** The address of a file to which a message of the same time links. */
  readonly file: string
}

type While = <Value>(work: () => Promise<Value>) => Promise<Value>

/** What happens around the reads of a user. */
interface Obstacle {
  readonly hinderWhile: While
  readonly receive: () => Promise<unknown>
  /** Writes all that the user has received. @returns the number of user messages. */
  readonly writeAll: (by: Client) => Promise<number>
}

/**
 * A user whose reads are sent while nothing can be written, and once more when everything is written
 * that the user has received.
 */
class HinderedReader extends Client {
  readonly compared: { during: Answer; after: Answer; written: number }[] = []

  constructor(
    like: Client,
    private readonly obstacle: Obstacle,
  ) {
    super(like.endpoint, like.credentials, like.id, like.name)
  }

  override async send(...[method, path, body, headers]: Parameters<Client['send']>) {
    if (method !== 'GET') return super.send(method, path, body, headers)
    const { receive, hinderWhile, writeAll } = this.obstacle
    await receive()
    const during = await hinderWhile(() => super.send(method, path, body, headers))
    const written = await writeAll(this)
    const answer = await super.send(method, path, body, headers)
    this.compared.push({ during, after: answer, written })
    return answer
  }
}

const systemTimes = {
  now: () => Date.now(),
  setTimeout(callback: () => void, delayMilliseconds: number) {
    const timer = setTimeout(callback, delayMilliseconds)
    return { cancel: () => clearTimeout(timer) }
  },
}

reportSkippedColumns()
for (const [index, database] of databaseColumns().entries()) {
  describe(`reads while nothing can be written (${database.title})`, () => {
    const host = new TestHost('koa', database, { clock: systemTimes })
    let at: HostCase
    let knex: Knex
    before(async () => {
      await host.start()
      at = { ...(await host.organization()), host, clock: host.clock }
      knex = createKnex({ ...host.databaseConfig, useNullAsDefault: true })
    })
    after(async () => {
      await knex.destroy()
      await host.stop()
    })

    /** Another connection has the lock of every write in the organization. */
    const lockedWhile: While = (work) =>
      knex.transaction(async (tx) => {
        await tx('chat_organizations').update({ name: knex.ref('name') })
        return work()
      })

    /** No user message can be inserted, as if the disk was full. */
    const failingWhile: While = async (work) => {
      const end = await refuseChanges(knex, {
        name: 'full_disk',
        table: 'chat_user_messages',
        change: 'INSERT',
      })
      try {
        return await work()
      } finally {
        await end()
      }
    }

    const userMessages = async ({ id }: Client): Promise<number> => {
      const [row] = await knex('chat_user_messages').where({ user_id: id }).count('* as count')
      return Number(row?.count)
    }
    // An export of a user writes what they have received.
    const writeAll = async (by: Client): Promise<number> => {
      const before = await userMessages(by)
      await bytesOf(host.chat.users.export({ userId: by.id }, { organization: at.subdomain }))
      return (await userMessages(by)) - before
    }

    const receive = async (): Promise<number> =>
      at.people.bob.say(at.channels.general, 'news', '@**all** come')

    for (const { id, method, access } of allOperations) {
      const example = examples[id]
      if (example === undefined || access === 'anyone' || method !== 'GET') continue
      // Databases differ in how they are locked, not in what is read.
      if (index > 0 && !['get-messages', 'get-own-user', 'get-stream-topics'].includes(id)) continue
      it(`${id} answers the same`, async () => {
        const caller = callerOf(example, at.people)
        const by = new HinderedReader(caller, { hinderWhile: lockedWhile, receive, writeAll })

        await example.call(at, by)

        const [read] = by.compared.slice(-1)
        assert.ok(read !== undefined)
        assert.equal(read.during.status, read.after.status)
        if (!notComparable.has(id)) assert.deepEqual(read.during.body, read.after.body)
      })
    }

    const fetch = (anchor: string, ...narrow: readonly object[]) =>
      `/messages?${new URLSearchParams({
        anchor,
        num_before: '3',
        num_after: '3',
        narrow: JSON.stringify(narrow),
      })}`
    const reads: Readonly<Record<string, (received: Received) => string>> = {
      'unread messages': () => fetch('newest', { operator: 'is', operand: 'unread' }),
      mentions: () => fetch('newest', { operator: 'is', operand: 'mentioned' }),
      'the first unread message': () => fetch('first_unread'),
      'the first unread message of a channel': () =>
        fetch('first_unread', { operator: 'channel', operand: at.channels.vault }),
      'all messages': () => fetch('newest'),
      'messages of a sender': () =>
        fetch('newest', { operator: 'sender', operand: at.people.bob.id }),
      'found words': () => fetch('newest', { operator: 'search', operand: 'needle' }),
      'messages with protected history': () =>
        fetch('newest', { operator: 'channel', operand: at.channels.vault }),
      'whether a message matches': ({ messageId }) =>
        `/messages/matches_narrow?${new URLSearchParams({
          msg_ids: JSON.stringify([messageId]),
          narrow: JSON.stringify([{ operator: 'is', operand: 'unread' }]),
        })}`,
      'one message': ({ messageId }) => `/messages/${messageId}`,
      'topics with protected history': () => `/users/me/${at.channels.vault}/topics`,
      'a file': ({ file }) => file,
    }
    for (const [obstacle, hinderWhile] of Object.entries({ lockedWhile, failingWhile })) {
      for (const [title, pathOf] of Object.entries(reads)) {
        it(`what was just received is among ${title} (${obstacle})`, async () => {
          const { alice, bob } = at.people
          const file = await upload(bob)
          await alice.post('/mark_all_as_read')
          const text = `needle @**alice** [file](${file})`
          const messageId = await bob.say(at.channels.vault, unused('topic'), text)
          const unmarked = await bob.say(at.channels.vault, unused('topic'), 'needle @**all**')
          const path = pathOf({ messageId: unmarked, file })
          const by = new HinderedReader(alice, {
            hinderWhile,
            receive: async () => messageId,
            writeAll,
          })

          await by.send('GET', path)

          const [read] = by.compared
          assert.equal(read?.during.status, 200, read?.during.text)
          assert.equal(read.written, 2)
          if (path !== file) assert.equal(read.during.text, read.after.text)
          assert.ok(
            !path.includes('unread') || read.during.text.includes(String(unmarked)),
            read.during.text,
          )
        })
      }
    }
  })
}
