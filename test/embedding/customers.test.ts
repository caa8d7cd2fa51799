import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'

import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import type { UncheckedJson } from '../support/unchecked-json.js'
import { startProduct as startComments } from './recipes/comments.js'
import { startProduct as startCustomers } from './recipes/customers.js'
import { startProduct as startSupportDesk } from './recipes/support-desk.js'

/** A program of a page in a process that ends and starts again. */
class Program {
  #running: Awaited<ReturnType<typeof startCustomers>> | undefined
  #database:
    | Awaited<ReturnType<NonNullable<ReturnType<typeof databaseColumns>[0]>['create']>>
    | undefined

  constructor(
    private readonly start: typeof startCustomers,
    private readonly column: ReturnType<typeof databaseColumns>[number],
  ) {}

  get chat() {
    assert.ok(this.#running)
    return this.#running.chat
  }

  async restart(): Promise<void> {
    await this.#running?.close()
    this.#database ??= await this.column.create()
    this.#running = await this.start({ database: this.#database.config, rateLimits: 'off' }, 0)
  }

  async end(): Promise<void> {
    await this.#running?.close()
    await this.#database?.drop()
  }

  async call(
    session: string,
    path: string,
    method = 'GET',
    values: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; text: string; body: UncheckedJson }> {
    assert.ok(this.#running)
    const { port } = this.#running.server.address() as AddressInfo
    const headers = { cookie: `session=${session}`, 'sec-fetch-site': 'same-origin' }
    const form = method === 'GET' ? {} : { body: new URLSearchParams(values) }
    const url = new URL(path, `http://localhost:${port}`)
    if (method === 'GET') url.search = String(new URLSearchParams(values))
    const answer = await fetch(url, { method, headers, ...form })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json') === true
    return { status: answer.status, text, body: isJson ? JSON.parse(text) : undefined }
  }

  /** What a client of a session knows when it begins. */
  async snapshot(session: string): Promise<UncheckedJson> {
    const client_capabilities = JSON.stringify({
      notification_settings_null: true,
      user_list_incomplete: true,
    })
    const { status, text, body } = await this.call(session, '/api/v1/register', 'POST', {
      client_capabilities,
    })
    assert.equal(status, 200, text)
    return body
  }

  async namesSeenBy(session: string): Promise<string[]> {
    const { realm_users } = await this.snapshot(session)
    return realm_users.map(({ full_name }: UncheckedJson) => full_name).toSorted()
  }
}

/** The program of a page, which is ended and started again before the cases. */
function everyStart(
  page: string,
  start: typeof startCustomers,
  cases: (program: Program) => void,
): void {
  for (const column of databaseColumns()) {
    describe(`the program of docs/${page} (${column.name})`, () => {
      const program = new Program(start, column)
      before(async () => {
        await program.restart()
        await program.restart()
      })
      after(() => program.end())
      cases(program)
    })
  }
}

reportSkippedColumns()

everyStart('customers.md', startCustomers, (program) => {
  it('gives a new customer nothing to read, no channels, and nobody else to see', async () => {
    const { unread_msgs, subscriptions, streams, realm_users, is_guest } =
      await program.snapshot('2')

    assert.equal(unread_msgs.count, 0)
    assert.deepEqual([subscriptions, streams], [[], []])
    assert.deepEqual(
      realm_users.map(({ full_name }: UncheckedJson) => full_name),
      ['Ada Byron'],
    )
    assert.equal(is_guest, true)
    const { body } = await program.call('2', '/api/v1/messages', 'GET', {
      anchor: 'newest',
      num_before: '100',
      num_after: '0',
    })
    assert.deepEqual(body.messages, [])
  })

  it('keeps one owner, who has nothing to read either', async () => {
    const { unread_msgs, is_owner, realm_name } = await program.snapshot('1')

    assert.deepEqual([unread_msgs.count, is_owner, realm_name], [0, true, 'The Shop'])
  })
})

everyStart('comments.md', startComments, (program) => {
  it('shows the comments on an order to its customer and the shop', async () => {
    assert.equal((await program.call('ada', '/orders/1')).status, 200)
    assert.equal((await program.call('ben', '/orders/2')).status, 200)
    assert.equal((await program.call('ben', '/orders/1')).status, 404)
    const { text } = await program.call('ada', '/orders/1')
    const channelId = /channel="(\d+)"/.exec(text)?.[1] ?? ''

    const comment = { type: 'channel', to: channelId, topic: 'comments', content: 'Is it late?' }
    const sent = await program.call('ada', '/api/v1/messages', 'POST', comment)
    const elsewhere = await program.call('ben', '/api/v1/messages', 'POST', comment)

    assert.equal(sent.status, 200, sent.text)
    assert.equal(elsewhere.status, 400)
    assert.equal((await program.snapshot('shop')).unread_msgs.count, 1)
    assert.equal((await program.snapshot('ben')).unread_msgs.count, 0)
    assert.deepEqual(await program.namesSeenBy('ada'), ['Ada Byron', 'The Shop'])
    assert.deepEqual(await program.namesSeenBy('shop'), ['Ada Byron', 'Ben Ito', 'The Shop'])
    await program.restart()
    assert.equal((await program.call('ada', '/orders/1')).text, text)
    assert.equal((await program.snapshot('ada')).subscriptions.length, 1)
  })

  it('has no direct messages', async () => {
    const { user_id: shopId } = await program.snapshot('shop')
    const direct = { type: 'direct', to: JSON.stringify([shopId]), content: 'Hello' }
    const refused = await program.call('ada', '/api/v1/messages', 'POST', direct)

    assert.equal(refused.status, 400, refused.text)
  })
})

everyStart('support-desk.md', startSupportDesk, (program) => {
  it('lets customers ask the staff, and the staff answer', async () => {
    assert.equal((await program.call('sam', '/help')).status, 404)
    const { text } = await program.call('ada', '/help')
    assert.equal((await program.call('ben', '/help')).status, 200)
    const channelId = /channel="(\d+)"/.exec(text)?.[1] ?? ''
    const question = { type: 'channel', to: channelId, topic: 'Refund', content: 'When?' }

    assert.equal((await program.call('ada', '/api/v1/messages', 'POST', question)).status, 200)
    assert.equal((await program.snapshot('sam')).unread_msgs.count, 1)
    assert.equal((await program.call('sam', '/api/v1/messages', 'POST', question)).status, 200)

    assert.equal((await program.snapshot('ada')).unread_msgs.count, 1)
    assert.equal((await program.snapshot('ben')).unread_msgs.count, 0)
    assert.deepEqual(await program.namesSeenBy('ada'), ['Ada Byron', 'Olive Owner', 'Sam Staff'])
    const staffView = await program.namesSeenBy('sam')
    assert.deepEqual(staffView, ['Ada Byron', 'Ben Ito', 'Olive Owner', 'Sam Staff'])
  })

  it('lets the staff begin direct conversations, and customers answer', async () => {
    await program.call('ada', '/help')
    await program.call('ben', '/help')
    const [adaId, benId, samId] = await Promise.all(
      ['ada', 'ben', 'sam'].map(async (name) => (await program.snapshot(name)).user_id),
    )
    const write = async (session: string, id: number): Promise<number> => {
      const direct = { type: 'direct', to: JSON.stringify([id]), content: 'Hello' }
      return (await program.call(session, '/api/v1/messages', 'POST', direct)).status
    }

    assert.equal(await write('ada', samId), 400)
    assert.equal(await write('ada', benId), 400)
    assert.equal(await write('sam', adaId), 200)
    assert.equal(await write('ada', samId), 200)
  })

  it('shows addresses to the staff, and none to customers', async () => {
    const addresses = async (session: string) => {
      const { realm_users } = await program.snapshot(session)
      return realm_users
        .map(({ delivery_email }: UncheckedJson) => delivery_email)
        .filter((email: string | null) => email !== null)
        .toSorted()
    }
    await program.call('ada', '/help')
    await program.call('ben', '/help')

    assert.deepEqual(await addresses('ada'), ['ada@mail.example'])
    assert.deepEqual(await addresses('sam'), [
      'ada@mail.example',
      'ben@mail.example',
      'olive@shop.example',
      'sam@shop.example',
    ])
  })
})
