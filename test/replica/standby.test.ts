import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { createChatServer } from '@parley/core'
import createKnex from 'knex'

import type { Client } from '../support/client.js'
import { existingDatabase } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { until } from '../support/waiting.js'
import { ReplicatedPostgres, whyWithoutPostgres } from './replicated-postgres.js'

const postgres = { name: 'postgres', title: 'postgres' } as const

describe('a standby of PostgreSQL', { skip: whyWithoutPostgres() }, () => {
  let servers: ReplicatedPostgres
  let host: TestHost
  let alice: Client
  let general = 0

  before(async () => {
    servers = await ReplicatedPostgres.start()
    host = new TestHost('koa', existingDatabase(postgres, servers.primaryConfig), {
      readReplica: servers.replicaConfig,
    })
    await host.start()
    const cast = await host.organization()
    ;({ alice } = cast.people)
    general = cast.channels.general
    await servers.caughtUp()
  })
  after(async () => {
    await host.stop()
    await servers.stop()
  })

  const newest = async () => {
    const { body } = await alice.get('/messages', {
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
    })
    return (body.messages as { content: string }[]).map(({ content }) => content)
  }

  it('that ends a read for the replication is not away, and the primary answers', async () => {
    await alice.say(general, 'conflict', 'hi')
    const lock = createKnex(servers.replicaConfig)
    const mend = await servers.doAtReads('PERFORM pg_advisory_xact_lock(1)')
    try {
      await lock.transaction(async (trx) => {
        await trx.raw('SELECT pg_advisory_xact_lock(1)')
        const answer = newest()
        await until('the read', async () => {
          const waiting = servers.operators.replica('pg_stat_activity')
          return (await waiting.where({ wait_event: 'advisory' })).length > 0
        })
        // A lock of the table, which the standby takes too, and which the read is in the way of.
        await mend()

        assert.deepEqual(await answer, ['<p>hi</p>'])
      })
    } finally {
      await lock.destroy()
    }
    assert.deepEqual(host.log, [])
    assert.equal((await host.chat.health()).readReplica, 'up')
  })

  it('is refused as the database, before anything is tried there', async () => {
    const { replicaConfig: database } = servers
    for (const start of ['start', 'migrate'] as const) {
      const chat = createChatServer({ database })
      await assert.rejects(chat[start](), /is a replica.* Name the primary in the option database/)
      await chat.close()
    }
  })

  it('is not used any more after it was promoted', async () => {
    await alice.say(general, 'promoted', 'before')
    await servers.caughtUp()
    assert.equal((await newest()).at(-1), '<p>before</p>')
    await servers.promote()
    const promoted = createKnex(servers.replicaConfig)
    await promoted('chat_messages').update({ rendered_content: 'of another server' })
    await promoted.destroy()
    host.clock.jump(11)

    assert.equal((await newest()).at(-1), '<p>before</p>')
    assert.equal(host.log.length, 1, host.log.join('\n'))
    assert.match(host.log[0] ?? '', /The read replica is away[^]*it was promoted/)
    assert.equal((await host.chat.health()).readReplica, 'down')
  })
})
