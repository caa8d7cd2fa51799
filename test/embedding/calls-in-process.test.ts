import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import {
  ChatError,
  type ChatApi,
  type OperationMap,
  type SystemApi,
  type UserApi,
} from '@parley/core'

import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import type { Cast } from '../support/cast.js'
import { TestHost } from '../support/host.js'

await import('@parley/core')
const { allOperations } = await import('../../packages/core/src/resources/index.js')

/** Compiles only if each result is the one of the operation with that name. */
const sent = (api: ChatApi): Promise<OperationMap['sendMessage']['result']> =>
  api.sendMessage({ type: 'direct', to: [1], content: 'typed' })

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`calls in the application's process (${database.name})`, () => {
    const host = new TestHost('express', database)
    let cast: Cast
    let knex: Knex
    let alice: UserApi
    let system: SystemApi
    before(async () => {
      await host.start()
      cast = await host.organization()
      const { subdomain: organization } = cast
      alice = host.chat.as({ userId: cast.people.alice.id, organization })
      system = host.chat.asSystem({ organization })
      knex = createKnex({ ...host.databaseConfig, useNullAsDefault: true })
    })
    after(async () => {
      await knex.destroy()
      await host.stop()
    })

    it('have a method for every operation that needs neither a connection nor a login', () => {
      const methods = new Set(Object.keys(alice.api))

      const missing = allOperations.filter(({ id }) => {
        return !methods.has(id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()))
      })

      assert.deepEqual(missing.map(({ id }) => id).sort(), [
        'confirm-email-change',
        'create-socket-ticket',
        'dev-fetch-api-key',
        'dev-list-users',
        'fetch-api-key',
        'get-api-description',
        'get-emoji-data',
        'get-emoji-image',
        'get-events',
        'get-server-settings',
        'join-big-blue-button-video-call',
        'read-avatar',
        'read-default-avatar',
        'read-external-content',
        'read-realm-image',
        'read-temporary-file',
        'send-json-webhook-message',
        'send-slack-webhook-message',
        'show-email-change',
        'show-join-page',
        'show-mail-unsubscription',
        'sign-on',
        'submit-join-page',
        'unsubscribe-from-mails',
        'update-display-settings',
        'update-notification-settings',
      ])
      assert.equal(typeof sent, 'function')
    })

    it('return what the operation returns over HTTP, as objects of their own', async () => {
      const { body } = await cast.people.alice.get('/users/me/subscriptions')
      const first = await alice.api.getSubscriptions()
      const { result: _result, msg: _msg, ...payload } = body
      assert.deepEqual(first, payload)

      Object.assign(first.subscriptions[0] ?? {}, { name: 'changed by the caller' })

      assert.deepEqual(await alice.api.getSubscriptions(), payload)
    })

    it('reject what the operation rejects over HTTP', async () => {
      const { body, status } = await cast.people.alice.patch('/realm', { name: 'Mine' })
      await assert.rejects(alice.api.updateRealm({ name: 'Mine' }), {
        name: 'ChatError',
        code: body.code,
        status,
        message: body.msg,
      })
      await assert.rejects(
        alice.api.getMessages({ anchor: 'newest', num_before: -1, num_after: 0 }),
        ChatError,
      )
    })

    it('reject unknown parameters with their names', async () => {
      const unknown = { type: 'direct', too: [1], contents: '' } as never

      await assert.rejects(alice.api.sendMessage(unknown), {
        name: 'TypeError',
        message: 'sendMessage: there is no parameter too, contents',
      })
    })

    it('upload and read files', async () => {
      // A stream of the Fetch standard has other bytes than buffers.
      const content = Readable.from([Buffer.from('two '), new TextEncoder().encode('parts')])
      const { url } = await alice.api.uploadFile({
        file: { name: 'note.txt', contentType: 'text/plain', content },
      })
      const [, , realm, ...path] = url.split('/')

      const file = await alice.api.readFile({
        realm_id_str: Number(realm),
        filename: path.join('/'),
      })

      assert.match(file.contentType, /^text\/plain/)
      assert.equal(String(Buffer.concat(await Readable.from(file.content).toArray())), 'two parts')
      await assert.rejects(
        alice.api.uploadAvatar({ file: { name: 'no.png', content: Buffer.from('no image') } }),
        { code: 'BAD_IMAGE' },
      )
      await assert.rejects(alice.api.uploadFile({ file: 'note.txt' } as never), TypeError)
      await assert.rejects(alice.api.uploadFile({}), /You must specify a file to upload/)
    })

    it('see what earlier calls in the same transaction have written, and others do not', async () => {
      const { alice: client } = cast.people
      const counts = async () => ({
        inside: 0,
        outside: (await alice.api.getUserGroups()).user_groups.length,
      })
      const before = await counts()
      const seen = await knex.transaction(async (within) => {
        const { group_id } = await system.api.createUserGroup(
          { name: 'ordered', description: '', members: [client.id] },
          { within },
        )
        const { id } = await system.api.createChannel(
          { name: 'order 1', subscribers: [client.id], can_send_message_group: group_id },
          { within },
        )
        const message = { type: 'channel', to: id, topic: 'tea', content: 'In one' } as const
        const { id: messageId } = await alice.api.sendMessage(message, { within })
        const groups = await alice.api.getUserGroups({}, { within })
        const found = await alice.api.getMessage({ message_id: messageId }, { within })
        await assert.rejects(
          host.chat
            .as({ userId: cast.people.bob.id, organization: cast.subdomain })
            .api.sendMessage(message, { within }),
          ChatError,
        )
        return { inside: groups.user_groups.length, content: found.message.content, id }
      })

      assert.equal(seen.inside, before.outside + 1)
      assert.equal(seen.content, '<p>In one</p>')
      assert.equal((await counts()).outside, before.outside + 1)
      const { body } = await client.get(`/streams/${seen.id}`)
      assert.equal(body.stream.name, 'order 1')
      assert.equal(body.stream.creator_id, null)
    })

    it('are forgotten with a transaction that is rolled back, also where numbers are kept', async () => {
      const { alice: client, bob, carol } = cast.people
      await system.api.createChannel({ name: 'counted', subscribers: [client.id, bob.id] })
      const subscriptions = [{ name: 'counted' }]
      const countIn = async (within?: Knex.Transaction): Promise<number | undefined> => {
        const request = { fetch_event_types: ['stream'] }
        const { streams } = await alice.api.registerQueue(request, within && { within })
        return streams?.find(({ name }) => name === 'counted')?.subscriber_count
      }
      assert.equal(await countIn(), 2)

      const transaction = await knex.transaction()
      const request = { subscriptions, principals: [carol.id] }
      await alice.api.subscribe(request, { within: transaction })
      assert.equal(await countIn(transaction), 3)
      await transaction.rollback()
      // The channel's row has changed as often as it had in the transaction.
      await alice.api.unsubscribe({ subscriptions: ['counted'] })

      assert.equal(await countIn(), 1)
    })

    it('leave nothing behind if they fail, although the transaction commits', async () => {
      const { alice: client, dora } = cast.people
      const failed = { name: 'half made', subscribers: [client.id, dora.id] }
      const done = await knex.transaction(async (within) => {
        // The subscriber's account is deactivated, which is found out after the channel was stored.
        await assert.rejects(system.api.createChannel(failed, { within }), ChatError)
        return system.api.createChannel({ name: 'made', subscribers: [client.id] }, { within })
      })

      const { streams } = await system.api.getStreams()
      const names = streams.map(({ name }) => name)
      assert.deepEqual([names.includes('half made'), names.includes('made')], [false, true])
      const again = await system.api.createChannel({ ...failed, subscribers: [client.id] })
      assert.ok(again.id > done.id)
    })

    it('take turns in a transaction, and may be in a savepoint of it', async () => {
      const title = (index: number) => ({ title: `t${index}`, content: 'x' })
      await knex.transaction(async (trx) => {
        await trx.transaction(async (within) => {
          const calls = Array.from({ length: 5 }, (_, index) =>
            alice.api.createSavedSnippet(title(index), { within }),
          )
          const read = alice.api.getSavedSnippets({}, { within })
          await Promise.all([...calls, read])
        })
        const undone = trx.transaction(async (within) => {
          await alice.api.createSavedSnippet(title(9), { within })
          throw new Error('of the savepoint')
        })
        await assert.rejects(undone, /of the savepoint/)
      })

      const { saved_snippets } = await alice.api.getSavedSnippets()
      assert.deepEqual(saved_snippets.map((snippet) => snippet.title).sort(), [
        't0',
        't1',
        't2',
        't3',
        't4',
      ])
      for (const { id } of saved_snippets) {
        await alice.api.deleteSavedSnippet({ saved_snippet_id: id })
      }
    })

    it('leave nothing behind if the transaction is rolled back', async () => {
      const { alice: client } = cast.people
      const groups = await alice.api.getUserGroups()
      const rolledBack = knex.transaction(async (within) => {
        const { group_id } = await system.api.createUserGroup(
          { name: 'rolled back', description: '', members: [client.id] },
          { within },
        )
        await system.api.updateRealm({ name: 'Rolled back' }, { within })
        const { user_groups } = await alice.api.getUserGroups({}, { within })
        assert.ok(user_groups.some(({ id }) => id === group_id))
        throw new Error('rolled back')
      })
      await assert.rejects(rolledBack, /rolled back/)

      assert.deepEqual(await alice.api.getUserGroups(), groups)
      const { body } = await client.post('/register', { fetch_event_types: ['realm'] })
      assert.notEqual(body.realm_name, 'Rolled back')
      await system.api.updateRealm({ name: 'Committed' })
      const again = await client.post('/register', { fetch_event_types: ['realm'] })
      assert.equal(again.body.realm_name, 'Committed')
    })

    it('act as the application: in every channel, with an account of nobody', async () => {
      const { bob, gus } = cast.people
      const feed = await bob.listen({ event_types: ['message'] })
      const { id } = await system.api.createChannel({
        name: 'project 42',
        invite_only: true,
        subscribers: [bob.id],
        announce: false,
      })
      await system.api.subscribe({
        subscriptions: [{ name: 'project 42' }],
        principals: [gus.id],
        send_new_subscription_messages: false,
      })
      const message = await system.api.sendMessage({
        type: 'channel',
        to: id,
        topic: 'shipping',
        content: 'Shipped',
      })
      await system.api.updateStream({ stream_id: id, description: 'All about 42' })
      await system.api.updateUser({ user_id: bob.id, role: 300 })

      const { message: read } = await system.api.getMessage({ message_id: message.id })
      assert.deepEqual(
        [read.sender_full_name, read.content],
        ['Notification Bot', '<p>Shipped</p>'],
      )
      const shipped = (await feed.drain()).map((event) => event['message'].content)
      assert.ok(shipped.includes('Shipped'))
      const { subscribers } = await system.api.getSubscribers({ stream_id: id })
      assert.deepEqual([...subscribers].sort(), [bob.id, gus.id].sort())
      const { user } = await system.api.getUser({ user_id: bob.id })
      assert.equal(user.role, 300)
    })

    it('wait for a transaction of the application when the server closes', async () => {
      const other = await host.another('koa')
      const ada = other.chat.as({ userId: cast.people.alice.id, organization: cast.subdomain })
      await knex.transaction(async (within) => {
        await ada.api.createSavedSnippet({ title: 'a', content: 'b' }, { within })
      })
      await other.stop()

      await assert.rejects(ada.api.getSavedSnippets(), /The chat server is closed/)
      const { saved_snippets } = await alice.api.getSavedSnippets()
      assert.deepEqual(
        saved_snippets.map(({ title }) => title),
        ['a'],
      )
    })
  })
}
