import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { createChatServer, type ChatServer } from '@parley/core'
import createKnex, { type Knex } from 'knex'

import { withCleanUp, type CleanUp } from './harness/clean-up.js'
import { temporaryFolder } from './harness/databases.js'

/** A server and its database. */
interface Opened {
  readonly chat: ChatServer
  readonly database: Knex.Config
}

const usersPerChannel = 10
const rowsPerInsert = 1000

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '200000' },
    // What a process of its own does, so that its memory is that of an idle process before.
    step: { type: 'string' },
    folder: { type: 'string', default: '' },
  },
})
const messageCount = Number(values.messages)
if (!Number.isInteger(messageCount) || messageCount < 1000 || messageCount > 10_000_000) {
  process.stderr.write('--messages must be a number from 1000 to 10000000\n')
  process.exit(1)
}
await withCleanUp(values.step === undefined ? measure : measureStep)

async function measure(cleanUp: CleanUp): Promise<void> {
  const folder = await temporaryFolder(cleanUp)
  await fill(await open(folder, 'source'))
  for (const step of ['export', 'import']) {
    const child = fork(fileURLToPath(import.meta.url), ['--step', step, '--folder', folder])
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`The ${step} has failed`)
  }
  const { size } = statSync(join(folder, 'archive.tar.gz'))
  process.stdout.write(`archive: ${(size / 1e6).toFixed(1)} MB for ${messageCount} messages\n`)
}

async function measureStep(cleanUp: CleanUp): Promise<void> {
  const archive = join(values.folder, 'archive.tar.gz')
  const isExport = values.step === 'export'
  const { chat } = await open(values.folder, isExport ? 'source' : 'target')
  cleanUp.add(() => chat.close())
  await timed(isExport ? 'export' : 'import', async () => {
    if (isExport) await pipeline(chat.organizations.export(''), createWriteStream(archive))
    else await chat.organizations.import(createReadStream(archive))
  })
}

async function open(folder: string, name: string): Promise<Opened> {
  const database = {
    client: 'better-sqlite3',
    connection: { filename: join(folder, `${name}.sqlite`) },
    useNullAsDefault: true,
  }
  const chat = createChatServer({ database, identify: () => null })
  await chat.start()
  return { chat, database }
}

/** An organization with messages of about 200 characters, each received by ten users. */
async function fill({ chat, database }: Opened): Promise<void> {
  const ids = Array.from({ length: usersPerChannel }, (_, index) => index + 1)
  const { organizationId } = await chat.organizations.load({
    organization: { name: 'Measured' },
    users: ids.map((id) => ({
      id,
      email: `user${id}@chat.example`,
      full_name: `User ${id}`,
      role: id === 1 ? 100 : 400,
    })),
    channels: [{ id: 1, name: 'general', subscribers: ids }],
    messages: [
      { id: 1, sender_id: 1, channel_id: 1, topic: 'all', content: 'First', sent_at_seconds: 1 },
    ],
  })
  // Its background work would write to the file at the same time.
  await chat.close()
  const knex = createKnex(database)
  try {
    await knex('chat_search_backlogs').delete()
    const pattern = (await knex('chat_messages').first()) as object
    for (let start = 2; start <= messageCount; start += rowsPerInsert) {
      const count = Math.min(rowsPerInsert, messageCount - start + 1)
      const messages = Array.from({ length: count }, (_, index) => {
        const words = Array.from({ length: 25 }, (_word, place) =>
          ((start + index) * 7919 * (place + 1)).toString(36).slice(-7),
        ).join(' ')
        return {
          ...pattern,
          id: start + index,
          content: words,
          rendered_content: `<p>${words}</p>`,
        }
      })
      const received = messages.flatMap(({ id }) =>
        ids.map((user_id) => ({
          organization_id: organizationId,
          user_id,
          message_id: id,
          flags: 1,
        })),
      )
      await knex.transaction(async (trx) => {
        await trx.batchInsert('chat_messages', messages, 50)
        await trx.batchInsert('chat_user_messages', received, 200)
      })
    }
  } finally {
    await knex.destroy()
  }
}

/** Prints how long the work takes, and the largest growth of the process's memory. */
async function timed(title: string, work: () => Promise<void>): Promise<void> {
  globalThis.gc?.()
  const idleBytes = process.memoryUsage.rss()
  let peakBytes = idleBytes
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
  }, 20)
  const start = performance.now()
  const usage = process.cpuUsage()
  await work()
  clearInterval(timer)
  const { user, system } = process.cpuUsage(usage)
  const seconds = (performance.now() - start) / 1000
  process.stdout.write(
    `${title}: ${seconds.toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of processor time, ` +
      `${((peakBytes - idleBytes) / 1e6).toFixed(0)} MB above the idle process\n`,
  )
}
