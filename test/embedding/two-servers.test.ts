import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { createChatServer, type ChatServer, type ChatServerOptions } from '@parley/core'
import { createChatMiddleware } from '@parley/express'
import express from 'express'

import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { FakeClock } from '../support/fake-clock.js'
import { until } from '../support/waiting.js'
import { Product } from './product.js'

async function product(options: ChatServerOptions): Promise<{ chat: ChatServer; host: Product }> {
  const chat = createChatServer({ rateLimits: 'off', clock: new FakeClock(), ...options })
  await chat.start()
  const app = express().use(createChatMiddleware(chat))
  return { chat, host: await Product.listen(app) }
}

reportSkippedColumns()

for (const column of databaseColumns()) {
  describe(`two servers in one process (${column.name})`, () => {
    for (const share of ['different databases', 'one database and different prefixes'] as const) {
      it(`share nothing: ${share}`, async () => {
        const first = await column.create()
        const second = share === 'different databases' ? await column.create() : first
        const one = await product({ database: first.config, tablePrefix: 'one_' })
        const two = await product({ database: second.config, tablePrefix: 'two_' })
        const reported: string[] = []
        one.chat.on('message', () => reported.push('one'))
        two.chat.on('message', () => reported.push('two'))

        // The same ids, names and subdomains; only the keys differ.
        const [here, there] = [one.host.cast('here'), two.host.cast('there')]
        await one.chat.organizations.load(here.file)
        await two.chat.organizations.load({
          ...there.file,
          organization: { name: 'There', subdomain: 'here' },
        })
        const feeds = [await here.people.bob.listen(), await there.people.bob.listen()] as const
        await here.people.alice.whisper([here.people.bob], 'here only')

        const [receivedHere, receivedThere] = [await feeds[0].drain(), await feeds[1].drain()]
        assert.deepEqual(
          receivedHere.map((event) => event['message'].content),
          ['here only'],
        )
        assert.deepEqual(receivedThere, [])
        const { credentials } = here.people.alice
        const authorization = `Basic ${btoa(`${credentials?.email}:${credentials?.apiKey}`)}`
        const foreign = await there.nobody.get('/users/me', {}, { authorization })
        assert.equal(foreign.status, 401)
        await until('the reports', () => reported.length === 3)
        assert.deepEqual(reported.toSorted(), ['one', 'one', 'two'])

        await one.chat.close()
        assert.deepEqual(await feeds[1].drain(), [], 'the other one continues')
        await two.chat.close()
        await Promise.all([one.host[Symbol.asyncDispose](), two.host[Symbol.asyncDispose]()])
        await first.drop()
        if (second !== first) await second.drop()
      })
    }
  })
}
