import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'

import createKnex from 'knex'

import { silent } from '../../packages/core/src/storage/connections/pools.js'
import { existingDatabase } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { until } from '../support/waiting.js'
import { MovableAddress } from './movable-address.js'
import { replicatedKinds } from './replicated-servers.js'

/** What the log says while the address leads to a replica. */
const reports = {
  mysql: /^The database is unavailable[^]*read-only/,
  postgres: /^The database is unavailable[^]*is a replica[^]*Name the primary in the option/,
} as const

async function start(
  t: TestContext,
  { name, start: startServers }: (typeof replicatedKinds)[number],
  owner: 'the chat' | 'the application',
) {
  const servers = await startServers()
  const address = await MovableAddress.of(servers.primaryPort)
  const config = await servers.primaryConfigAt(address.port)
  const knex = createKnex({ ...config, log: silent })
  const options = owner === 'the chat' ? {} : { database: knex }
  const host = new TestHost('koa', existingDatabase({ name, title: name }, config), options)
  await host.start()
  t.after(async () => {
    await host.stop()
    await knex.destroy()
    await address.close()
    await servers.stop()
  })
  return { servers, address, host, ...(await host.organization()) }
}

for (const kind of replicatedKinds) {
  describe(`a failover (${kind.name})`, { skip: kind.whyNot() }, () => {
    for (const owner of ['the chat', 'the application'] as const) {
      it(`needs no restart, also if the address leads to the replica for a while, with the pool of ${owner}`, async (t) => {
        const { servers, address, host, people, channels } = await start(t, kind, owner)
        const { alice, bob } = people
        const send = (content: string) =>
          alice.post('/messages', {
            type: 'channel',
            to: channels.general,
            topic: 'failover',
            content,
          })
        const { body: queue } = await bob.post('/register', { event_types: ['message'] })
        assert.equal((await send('before')).status, 200)
        await servers.caughtUp()

        address.moveTo(servers.replicaServer.port)
        address.cut()
        const early = await until('the replica', async () => {
          const answer = await send('too early')
          return host.log.some((line) => reports[kind.name].test(line)) && answer
        })
        address.moveTo(servers.primaryPort)
        const back = await send('back')
        await servers.caughtUp()
        await servers.shutDownPrimary()
        address.moveTo(servers.replicaServer.port)
        const refused = await send('no primary')
        await servers.promote()
        await until('the new primary', async () => (await send('after')).status === 200)

        for (const { status, headers, text } of [early, refused]) {
          assert.equal(status, 503, text)
          assert.equal(headers['retry-after'], '1')
        }
        assert.equal(back.status, 200, back.text)
        const { body } = await bob.get('/events', {
          queue_id: queue.queue_id,
          last_event_id: queue.last_event_id,
          dont_block: true,
        })
        assert.deepEqual(
          body.events.map((event: { message: { content: string } }) => event.message.content),
          ['before', 'back', 'after'],
        )
      })
    }
  })
}
