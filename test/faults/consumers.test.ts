import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

import type { ConsumerContext } from '@parley/core'
import createKnex, { type Knex } from 'knex'

import { databaseColumnsOf, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { compiledProgram } from '../support/programs.js'
import { until } from '../support/waiting.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

reportSkippedColumns()
for (const database of databaseColumnsOf('a consumer whose process is killed')) {
  describe(`a consumer whose process is killed (${database.name})`, () => {
    it('has handled each event once when another process has continued', async () => {
      const host = new TestHost('koa', database)
      await host.start()
      // The other process uses the real time.
      host.clock.jump(Date.now() / 1000 - host.clock.seconds)
      const { alice, bob } = (await host.organization()).people
      const knex = createKnex({ ...host.databaseConfig, useNullAsDefault: true })
      await knex.schema.createTable('bills', (t) => t.string('text', 100))
      const child = spawn(
        process.execPath,
        [
          '--enable-source-maps',
          compiledProgram('test/faults/consumer-process.ts'),
          JSON.stringify(host.databaseConfig),
        ],
        { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
      )
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
      const instead = (): string => output
      await until('the process to start', () => output.includes('started'), {
        instead,
        seconds: 60,
      })
      const before = ['one', 'two', 'three', 'wait']
      for (const text of before) await alice.whisper([bob], text)
      await until('it to stop at an event', () => output.includes('wait'), { instead })

      child.kill('SIGKILL')
      await once(child, 'exit')
      await alice.whisper([bob], 'after')
      const consumer = host.chat.consume(
        'billing',
        { types: ['message'] },
        async ({ message }, { trx }: ConsumerContext<Knex.Transaction>) => {
          await trx('bills').insert({ text: message.content })
        },
      )
      await consumer.ready()
      // Until the lease of the process has ended.
      host.clock.jump(Date.now() / 1000 - host.clock.seconds + 31)
      const bills = async (): Promise<string[]> =>
        (await knex('bills').select<{ text: string }[]>('text')).map(({ text }) => text)
      await until(
        'the other process',
        async () => {
          host.clock.advance(1)
          return (await bills()).includes('after')
        },
        { instead: () => host.log },
      )
      await consumer.stop()

      assert.deepEqual((await bills()).toSorted(), [...before, 'after'].toSorted())
      await knex.destroy()
      await host.stop()
    })
  })
}
