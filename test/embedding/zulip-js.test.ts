import assert from 'node:assert/strict'
import { fork, type ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { after, before, describe, it } from 'node:test'

import { passwordOf, type Cast } from '../support/cast.js'
import type { Client } from '../support/client.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost, type AdapterName } from '../support/host.js'
import { compiledProgram } from '../support/programs.js'
import type { UncheckedJson } from '../support/unchecked-json.js'
import { within } from '../support/waiting.js'

const program = compiledProgram('test/embedding/zulip-js-program.ts')

/** The published client, in a separate process. */
class PublishedClient extends EventEmitter {
  #calls = 0

  private constructor(private readonly child: ChildProcess) {
    super()
    child.on('message', ({ id, result, event }: UncheckedJson) => {
      if (event === undefined) this.emit(`result ${id}`, result)
      else this.emit('event', event)
    })
  }

  static async start(config: object): Promise<PublishedClient> {
    const child = fork(program, [JSON.stringify(config)], { execArgv: [] })
    const client = new PublishedClient(child)
    await within('the client to be ready', once(client, 'result 0'))
    return client
  }

  /** Calls a function of the client. @returns the complete response of the server. */
  async call(path: string, parameters: unknown = {}): Promise<UncheckedJson> {
    const id = (this.#calls += 1)
    this.child.send({ id, path, parameters })
    const [result] = await within(`the result of ${path}`, once(this, `result ${id}`))
    return result
  }

  /** Starts the client's own loop, which never ends. */
  listen(eventTypes: readonly string[]): void {
    this.child.send({ id: 0, path: 'callOnEachEvent', parameters: eventTypes })
  }

  async end(): Promise<void> {
    const ended = once(this.child, 'exit')
    this.child.kill()
    await within('the end of the client', ended)
  }
}

const columns = databaseColumns().flatMap((database, index) => {
  const adapter: AdapterName = index === 0 ? 'express' : 'koa'
  // The address of the server that its user enters.
  const basePaths = index === 0 ? ['', '/team/chat'] : ['']
  return basePaths.map((basePath) => ({ database, adapter, basePath }))
})

reportSkippedColumns()
for (const { database, adapter, basePath } of columns) {
  describe(`the published zulip-js (${adapter}${basePath}, ${database.name})`, () => {
    const requests = new EventEmitter()
    const host = new TestHost(adapter, database, {
      ...(basePath !== '' && { basePath }),
      resolveOrganization: () => cast.subdomain,
      front: ({ url = '' }) => requests.emit(url.replace(/\?.*/, '')),
    })
    let cast: Cast
    const clients: PublishedClient[] = []
    const start = async (person: Client, secret: object): Promise<PublishedClient> => {
      const config = { username: person.email, realm: host.origin + basePath, ...secret }
      const client = await PublishedClient.start(config)
      clients.push(client)
      return client
    }
    before(async () => {
      await host.start()
      cast = await host.organization({ passwords: ['alice'] })
    })
    after(async () => {
      await Promise.all(clients.map((client) => client.end()))
      await host.stop()
    })

    it('logs in with a password, sends messages, and receives others in its event loop', async () => {
      const { alice, bob } = cast.people
      const zulip = await start(alice, { password: passwordOf('alice') })
      const other = await start(bob, { apiKey: bob.credentials?.apiKey })
      const polls = once(requests, `${basePath}/api/v1/events`)
      other.listen(['message'])
      await within('the poll of the client', polls)
      const feed = once(other, 'event')

      const message = { type: 'stream', to: 'general', subject: 'lunch', content: '**Soup**?' }
      const sent = await zulip.call('messages.send', message)
      const [event] = (await within('an event', feed)) as [UncheckedJson]

      assert.equal(event.message.id, sent.id)
      assert.equal(event.message.sender_id, alice.id)
      assert.equal(event.message.content, '**Soup**?')
    })

    it('succeeds with all of its functions', async () => {
      const { olga, alice } = cast.people
      const { general, empty } = cast.channels
      const zulip = await start(olga, { apiKey: olga.credentials?.apiKey })
      const message_id = await olga.say(general, 'offers', 'Hello')
      const queue = await zulip.call('queues.register', { event_types: ['message'] })
      const emoji = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }
      const narrow = [{ operator: 'stream', operand: 'general' }]
      const calls: readonly (readonly [string, unknown?])[] = [
        ['server.settings'],
        ['users.retrieve', { client_gravatar: true }],
        ['users.create', { email: 'new@example.com', password: 'a long one', full_name: 'New' }],
        ['users.me.getProfile'],
        ['users.me.alertWords.retrieve'],
        ['users.me.subscriptions.add', { subscriptions: JSON.stringify([{ name: 'empty' }]) }],
        ['users.me.subscriptions.remove', { subscriptions: JSON.stringify(['empty']) }],
        ['streams.retrieve', { include_public: true }],
        ['streams.getStreamId', 'general'],
        ['streams.subscriptions.retrieve'],
        ['streams.topics.retrieve', { stream_id: general }],
        ['messages.send', { to: [alice.email], type: 'private', content: 'Just us' }],
        ['messages.retrieve', { anchor: 1_000_000_000, num_before: 9, num_after: 1, narrow }],
        ['messages.render', 'Hello **all**'],
        ['messages.update', { message_id, content: 'Hello again' }],
        ['messages.flags.add', { messages: [message_id], flag: 'starred' }],
        ['messages.flags.remove', { messages: [message_id], flag: 'starred' }],
        ['messages.getById', { message_id }],
        ['messages.getHistoryById', { message_id }],
        ['reactions.add', { message_id, ...emoji }],
        ['reactions.remove', { message_id, ...emoji }],
        ['reactions.add', { message_id, emoji_name: 'working_on_it' }],
        ['messages.deleteReactionById', { message_id, emoji_name: 'working_on_it' }],
        ['typing.send', { to: [alice.id], op: 'start' }],
        ['emojis.retrieve'],
        ['events.retrieve', { queue_id: queue.queue_id, last_event_id: -1 }],
        ['queues.deregister', { queue_id: queue.queue_id }],
        ['messages.deleteById', { message_id }],
        ['streams.deleteById', { stream_id: empty }],
      ]

      for (const [path, parameters] of calls) {
        const { result, msg } = await zulip.call(path, parameters)
        assert.equal(result, 'success', `${path}: ${msg}`)
      }
    })
  })
}
