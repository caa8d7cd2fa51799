import assert from 'node:assert/strict'
import { it } from 'node:test'

import { BreakableStorage } from '../support/breakable-storage.js'
import { EventFeed } from '../support/event-feed.js'
import { everyDatabase, type HostOptions } from '../support/host.js'
import { findTexts, readTables } from '../support/database-texts.js'
import { person, personalWords, richPerson } from '../support/rich-person.js'

/** More than entries of the event log are kept. */
const logSeconds = 30 * 60

const storage = new BreakableStorage()
const hostOptions: HostOptions = { files: storage }

everyDatabase(
  'chat.users.erase',
  'express',
  (at) => {
    const here = () => ({ organization: at.subdomain })

    it('leaves nothing of the person in any table with messages: delete, and tells all clients', async () => {
      const rich = await richPerson(at)
      const { alice, adam } = at.people
      const feed = await EventFeed.register(alice, {
        event_types: ['realm_user', 'delete_message', 'reaction', 'user_status'],
      })
      const avatarUrl = 'https://product.example/zephyrina.png'
      await at.host.chat.users.sync([{ ...person, avatarUrl }], here())
      const before = await findTexts(at.host.databaseConfig, personalWords)
      const tables = new Set(before.map((line) => line.replace(/:.*/su, '')))
      assert.ok(tables.size > 25, [...tables].join(', '))

      const result = await at.host.chat.users.erase(person.externalId, {
        messages: 'delete',
        ...here(),
      })

      assert.deepEqual(result?.userId, rich.id)
      assert.ok(result.deletedMessages >= 3, `${result.deletedMessages} messages`)
      const events = await feed.drain()
      const changes = events
        .filter(({ type }) => type === 'realm_user')
        .map(({ person: change }) => change as Record<string, unknown>)
      assert.ok(changes.some((change) => change['is_active'] === false))
      assert.ok(changes.some((change) => change['full_name'] === `Deleted user ${rich.id}`))
      assert.ok(changes.some((change) => 'custom_profile_field' in change))
      const deleted = events
        .filter(({ type }) => type === 'delete_message')
        .map(({ message_id }) => message_id as number)
      assert.ok(deleted.includes(rich.messages.channel) && deleted.includes(rich.messages.direct))
      assert.ok(events.some(({ type, op }) => type === 'reaction' && op === 'remove'))
      assert.ok(
        events.some(({ type, status_text }) => type === 'user_status' && status_text === ''),
      )
      const { user } = (await adam.get(`/users/${rich.id}`)).body
      assert.equal(user.full_name, `Deleted user ${rich.id}`)
      assert.equal(user.delivery_email, `deleteduser${rich.id}@erased.invalid`)
      assert.equal(user.is_active, false)

      await feed.client.delete('/events', { queue_id: feed.queueId })
      at.clock.jump(logSeconds)
      const pruned = at.clock.next('set', 60)
      at.clock.fire(60)
      await pruned
      assert.deepEqual(await findTexts(at.host.databaseConfig, personalWords), [])
      assert.deepEqual(at.host.log, [])

      assert.deepEqual(
        await at.host.chat.users.erase({ userId: rich.id }, { messages: 'delete', ...here() }),
        { userId: rich.id, deletedMessages: 0 },
      )
      const rows = await readTables(at.host.databaseConfig)
      const [erased] = (rows.get('chat_users') ?? []).filter((row) => row['id'] === rich.id)
      assert.equal(erased?.['password_hash'], null)
    })

    it('keeps messages under the name of the erased account, and renames mentions', async () => {
      const rich = await richPerson(at)
      const { alice, bob } = at.people
      const elsewhere = {
        externalId: person.externalId,
        email: 'new@product.example',
        fullName: 'Z',
      }

      await at.host.chat.users.erase({ externalId: person.externalId }, here())

      const message = (await bob.get(`/messages/${rich.messages.channel}`)).body.message
      assert.equal(message.sender_full_name, `Deleted user ${rich.id}`)
      assert.match(message.content, /Xylophone, edited/)
      assert.equal((await alice.get(`/messages/${rich.messages.direct}`)).status, 200)
      assert.equal(
        (await alice.get(`/messages/${rich.alicesMessage}`)).body.message.reactions.length,
        1,
      )
      const mention = (await alice.get(`/messages/${rich.mention}`, { apply_markdown: false })).body
      const name = `Deleted user ${rich.id}|${rich.id}`
      assert.equal(mention.message.content, `Welcome, @**${name}** and @_**${name}**`)
      const found = await alice.get('/messages', {
        anchor: 'newest',
        num_before: 5,
        num_after: 0,
        narrow: [{ operator: 'search', operand: 'zephyrina' }],
      })
      assert.deepEqual(found.body.messages, [])
      const rows = await readTables(at.host.databaseConfig)
      const names = (rows.get('chat_attachments') ?? []).map((row) => row['path_name'])
      assert.ok(names.includes('xylophone-linked.txt') && !names.includes('xylophone-alone.txt'))
      assert.equal(
        (rows.get('chat_messages') ?? []).some((row) => row['id'] === rich.messages.own),
        false,
        'nobody else can read a note to oneself',
      )

      const { created } = await at.host.chat.users.sync([elsewhere], here())
      assert.equal(created, 1)
      const found2 = await at.host.chat.users.find(person.externalId, here())
      assert.notEqual(found2?.id, rich.id)
      const { status, body } = await at.people.olga.post(`/users/${rich.id}/reactivate`)
      assert.deepEqual([status, body.msg], [400, 'The user of this account was erased'])
    })

    it('deletes in batches, and continues when it is repeated after a failure', async () => {
      const one = { externalId: 'batch', email: 'batch@product.example', fullName: 'Batch One' }
      const reference = { externalId: 'batch', ...here() }
      await at.host.chat.users.sync([one], here())
      const user = at.host.chat.as(reference)
      const userId = await user.id()
      const content = Buffer.from('a file')
      const filesBefore = [...storage.files.keys()]
      await user.api.uploadFile({ file: { name: 'alone.txt', content } })
      const sending = Array.from({ length: 130 }, (_, round) =>
        user.api.sendMessage({
          type: 'channel',
          to: round % 2 === 0 ? at.channels.general : at.channels.design,
          topic: 'many',
          content: `Message ${round}`,
        }),
      )
      await Promise.all(sending)
      // An address that the erased account would have otherwise.
      const email = `deleteduser${userId}@erased.invalid`
      await at.host.chat.users.sync([{ externalId: 'rival', email, fullName: 'Rival' }], here())
      const { api: rival } = at.host.chat.as({ externalId: 'rival', ...here() })
      storage.isBroken = true

      await assert.rejects(
        at.host.chat.users.erase('batch', { messages: 'delete', ...here() }),
        /broken/,
      )

      await assert.rejects(user.api.getOwnUser(), { code: 'USER_DEACTIVATED' })
      storage.isBroken = false
      const both = await Promise.all([
        at.host.chat.users.erase('batch', { messages: 'delete', ...here() }),
        at.host.chat.users.erase('batch', { messages: 'delete', ...here() }),
      ])
      assert.deepEqual(both[0], { userId, deletedMessages: 0 })
      assert.equal(await at.host.chat.users.find('batch', here()), undefined)
      const { members } = await rival.getUsers()
      const erased = members.find(({ user_id }) => user_id === userId)
      assert.equal(erased?.full_name, `Deleted user ${userId}`)
      assert.match(String(erased.delivery_email), /^deleteduser\d+-[a-z0-9]+@erased\.invalid$/)
      const rows = await readTables(at.host.databaseConfig)
      const sent = (rows.get('chat_messages') ?? []).filter((row) => row['sender_id'] === userId)
      assert.deepEqual(sent, [])
      assert.deepEqual([...storage.files.keys()], filesBefore)
    })

    it('is refused for the only owner and for bots, and does nothing for unknown users', async () => {
      const { users } = at.host.chat
      const { olga, bot } = at.people

      await assert.rejects(users.erase({ userId: olga.id }, here()), {
        code: 'BAD_REQUEST',
        message: /make another user an owner first/,
      })
      assert.equal((await olga.get('/users/me')).status, 200)
      await assert.rejects(users.erase({ userId: bot.id }, here()), { code: 'BAD_REQUEST' })
      assert.equal(await users.erase('nobody', here()), undefined)
      assert.equal(await users.erase({ userId: at.unknownId }, here()), undefined)
      await assert.rejects(users.erase({} as never), TypeError)
      await assert.rejects(users.erase({ userId: 1 }, { messages: 'all' } as never), TypeError)
    })
  },
  hostOptions,
)
