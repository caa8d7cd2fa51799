import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { createChatServer, type ChatServerOptions } from '@parley/core'

import type { Client } from '../support/client.js'
import { existingDatabase } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { replicatedKinds, type ReplicatedServers } from './replicated-servers.js'

for (const { name, start, whyNot } of replicatedKinds) {
  describe(`a read replica (${name})`, { skip: whyNot() }, () => {
    let servers: ReplicatedServers
    let host: TestHost
    let alice: Client
    let bob: Client
    let general = 0

    before(async () => {
      servers = await start()
      const column = existingDatabase({ name, title: name }, servers.primaryConfig)
      host = new TestHost('koa', column, { readReplica: servers.replicaConfig })
      await host.start()
      const cast = await host.organization()
      ;({ alice, bob } = cast.people)
      general = cast.channels.general
      await servers.caughtUp()
    })
    after(async () => {
      await host.stop()
      await servers.stop()
    })

    const newest = async (client: Client) => {
      const { status, body, text } = await client.get('/messages', {
        anchor: 'newest',
        num_before: 20,
        num_after: 0,
      })
      assert.equal(status, 200, text)
      return body.messages as { id: number; content: string; flags: string[] }[]
    }
    const readsOf = async (work: () => Promise<unknown>): Promise<number> => {
      const before = await servers.reads()
      await work()
      return (await servers.reads()) - before
    }

    it('answers reads of messages and users, as the primary does', async () => {
      await alice.say(general, 'place', 'first')
      await servers.hold()
      // Not there yet: the primary answers.
      await alice.say(general, 'place', 'second')
      const [messages, users] = [await newest(bob), await bob.get('/users')]
      await servers.follow()
      await servers.caughtUp()

      const found: unknown[] = []
      const count = await readsOf(async () =>
        found.push(await newest(bob), await bob.get('/users')),
      )

      assert.ok(count >= 4, `${count} reads`)
      assert.deepEqual(found[0], messages)
      assert.deepEqual((found[1] as typeof users).body, users.body)
      assert.equal(messages.at(-1)?.content, '<p>second</p>')
    })

    it('refuses what the primary refuses, and nothing is logged', async () => {
      const narrow = [{ operator: 'sender', operand: 'unknown@product.example' }]
      const params = { narrow, anchor: 'newest', num_before: 1, num_after: 0 }
      const answer = await alice.get('/messages', params)

      assert.equal(answer.body.code, 'BAD_NARROW')
      assert.deepEqual(host.log, [])
      assert.equal((await host.chat.health()).readReplica, 'up')
    })

    it('is not asked while it lags, and clients miss nothing that they have done', async () => {
      await servers.hold()
      const id = await alice.say(general, 'lag', 'not there yet')
      await alice.patch(`/messages/${id}`, { content: 'edited' })
      await alice.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
      // How far it is is asked once for each request.
      const count = await readsOf(async () => {
        const last = (await newest(alice)).at(-1)
        assert.equal(last?.content, '<p>edited</p>')
        assert.ok(last?.flags.includes('starred'))
      })
      assert.equal(count, 1)

      await servers.follow()
      await servers.caughtUp()
      assert.ok((await readsOf(() => newest(alice))) > 1)
      assert.equal((await newest(alice)).at(-1)?.content, '<p>edited</p>')
    })

    it('shows each client at once what it has written, while it follows', async () => {
      for (let round = 0; round < 60; round += 1) {
        const author = round % 2 === 0 ? alice : bob
        const id = await author.say(general, 'rounds', `text ${round}`)
        assert.equal((await newest(author)).at(-1)?.id, id)
        if (round % 3 !== 0) continue
        await author.patch(`/messages/${id}`, { content: `edited ${round}` })
        assert.equal((await newest(author)).at(-1)?.content, `<p>edited ${round}</p>`)
      }
      assert.deepEqual(host.log, [])
    })

    it('is replaced by the primary while it is away, with one line in the log', async () => {
      await servers.replicaServer.shutDown()
      for (let round = 0; round < 3; round += 1) {
        const id = await alice.say(general, 'away', `round ${round}`)
        assert.equal((await newest(alice)).at(-1)?.id, id)
        host.clock.jump(11)
      }
      assert.equal(host.log.length, 1, host.log.join('\n'))
      assert.match(host.log[0] ?? '', /The read replica is away/)
      assert.equal((await host.chat.health()).readReplica, 'down')
      assert.equal((await host.chat.health()).isReady, true)

      await servers.replicaServer.startAgain()
      await servers.follow()
      await servers.caughtUp()
      host.clock.jump(11)
      assert.ok((await readsOf(() => newest(alice))) > 1)
      assert.equal((await host.chat.health()).readReplica, 'up')
      host.log.length = 0
    })

    for (const [what, seconds] of [
      ['how far it is', 1],
      ['the reads', 10],
    ] as const) {
      it(`is not waited for if it does not answer ${what}`, async () => {
        await servers.caughtUp()
        await newest(alice)
        const processIds = await servers.processIds()
        for (const processId of processIds) process.kill(processId, 'SIGSTOP')
        try {
          // Otherwise it is known that it has everything.
          if (seconds === 1) await alice.say(general, 'stopped', 'news')
          const isAsked = host.clock.next('set', seconds)
          const answer = newest(alice)
          await isAsked
          host.clock.fire(seconds)
          assert.ok((await answer).length > 0)
          // Now it is not asked.
          assert.ok((await newest(alice)).length > 0)
        } finally {
          for (const processId of processIds) process.kill(processId, 'SIGCONT')
        }
        assert.equal(host.log.length, 1, host.log.join('\n'))
        host.log.length = 0
        host.clock.jump(11)
        await servers.caughtUp()
        await newest(alice)
        assert.equal((await host.chat.health()).readReplica, 'up')
      })
    }

    it('is away while its reads fail, although it tells how far it is, with one line in the log', async () => {
      await servers.caughtUp()
      const mend = await servers.breakReads()
      try {
        for (let round = 0; round < 3; round += 1) {
          assert.ok((await newest(alice)).length > 0)
          host.clock.jump(11)
        }
      } finally {
        await mend()
      }
      assert.equal(host.log.length, 1, host.log.join('\n'))
      await servers.caughtUp()
      await newest(alice)
      assert.equal((await host.chat.health()).readReplica, 'up')
    })

    it('is of the same kind as the database', () => {
      const sqlite = { client: 'sqlite3', connection: { filename: 'never-opened.sqlite' } } as const
      const { primaryConfig, replicaConfig } = servers
      const { client } = replicaConfig
      const withReplica = (database: ChatServerOptions['database'], readReplica: object) => () =>
        createChatServer({ database, readReplica })

      assert.throws(withReplica(sqlite, replicaConfig), /readReplica needs a database of MySQL,/)
      assert.throws(withReplica(primaryConfig, sqlite), new RegExp(`needs the client '${client}'`))
      assert.throws(withReplica(primaryConfig, { client }), /readReplica\.connection is missing/)
    })
  })
}
