import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import { entriesOf, rowsIn } from '../support/archives.js'
import type { Cast } from '../support/cast.js'
import { databaseColumnsOf, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { until, within } from '../support/waiting.js'
import { startChatProcess } from './chat-process.js'

/** More than one process exports before it is killed. */
const messageCount = 20_000
const firstId = 100_000

interface ExportRow {
  readonly attempts: number
  readonly file_key: string | null
}

reportSkippedColumns()
for (const column of databaseColumnsOf('data exports of a process that is killed')) {
  describe(`data exports of a process that is killed (${column.name})`, () => {
    let folder: string
    let host: TestHost
    let cast: Cast
    let knex: Knex

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'parley-exports-'))
      host = new TestHost('koa', column, { files: folder })
      await host.start()
      cast = await host.organization()
      knex = createKnex(host.databaseConfig)
      const id = await cast.people.alice.say(cast.channels.design, 'history', 'pattern')
      const pattern = (await knex('chat_messages').where({ id }).first()) as object
      const messages = Array.from({ length: messageCount }, (_, index) => ({
        ...pattern,
        id: firstId + index,
        content: `message ${index} `.repeat(100),
      }))
      await knex.batchInsert('chat_messages', messages, 50)
    })
    after(async () => {
      await knex.destroy()
      await host.stop()
      await rm(folder, { recursive: true, force: true })
    })

    it('are produced anew by another one, and leave no partial file', async () => {
      const { olga } = cast.people
      const options = { database: host.databaseConfig, files: folder }
      const { child, origin } = await startChatProcess(options)
      const { email = '', apiKey = '' } = olga.credentials ?? {}
      const row = async () => (await knex('chat_data_exports').first()) as ExportRow | undefined
      const requested = await fetch(`${origin}/api/v1/export/realm`, {
        method: 'POST',
        headers: {
          'x-organization': olga.endpoint.subdomain,
          authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
        },
      })
      assert.equal(requested.status, 200, await requested.text())
      const partial = async () =>
        (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.part'))
      await until('a part to be written', async () => (await partial()).length > 0)
      const isGone = once(child, 'exit')
      child.kill('SIGKILL')
      await within('the end of the process', isGone)
      assert.deepEqual({ ...(await row()) }['file_key'], null)
      assert.equal((await row())?.attempts, 1)

      host.clock.jump(Date.now() / 1000 - host.clock.seconds + 130)
      host.clock.advance(10)
      await until('the export to be complete', async () => (await row())?.file_key !== null, {
        seconds: 120,
      })

      assert.equal((await row())?.attempts, 2)
      const { body } = await olga.get('/export/realm')
      const answer = await fetch(`${host.origin}${body.exports[0]!.export_url}`, {
        headers: {
          'x-organization': olga.endpoint.subdomain,
          authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
        },
      })
      const entries = await entriesOf(Buffer.from(await answer.arrayBuffer()))
      const ids = rowsIn(entries, 'messages').map((message) => Number(message['id']))
      assert.equal(ids.filter((id) => id >= firstId).length, messageCount)
      assert.ok(entries.has('end.json'))
    })
  })
}
