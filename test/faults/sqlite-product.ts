import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

import { createChatServer } from '@parley/core'

import { castOf } from '../support/cast.js'

/** An application with a file that it shares with its chat server. It writes until it is killed. */

const [filename = '', client = ''] = process.argv.slice(2)
const library = createRequire(import.meta.url).resolve('better-sqlite3')
const { default: Database } = (await import(library)) as { default: DatabaseClass }

interface DatabaseClass {
  new (filename: string): {
    exec(sql: string): void
    prepare(sql: string): { run(...values: unknown[]): void }
  }
}

const product = new Database(filename)
// SQLite's locks are not fair: on a slow machine, another process may get the lock many times.
product.exec('PRAGMA busy_timeout = 30000')
product.exec('CREATE TABLE orders (round INTEGER, number INTEGER)')
const insert = product.prepare('INSERT INTO orders VALUES (?, ?)')

const chat = createChatServer({
  database: { client, connection: { filename } },
  // Needed to test what happens to a file that two libraries have open.
  allowOtherSqliteLibraries: client !== 'better-sqlite3',
})
await chat.start()
const cast = castOf(100, 'product', {}, (_credentials, id) => ({ id }) as never)
await chat.organizations.load(cast.file)
const user = chat.as({ userId: cast.people.alice.id, organization: 'product' })
const draft = { type: 'channel', to: cast.channels.design, topic: 'orders' } as const

/** Another process that opens the file, reads it, and closes it. */
const look = `
  const database = new (require(${JSON.stringify(library)}))(${JSON.stringify(filename)})
  database.prepare('SELECT COUNT(*) FROM orders').get()
  database.close()`

for (let round = 1; ; round += 1) {
  const sending = Array.from({ length: 10 }, (_, index) =>
    user.api.sendMessage({ ...draft, content: `${round}: ${index}` }),
  )
  const looking = promisify(execFile)(process.execPath, ['-e', look])
  for (let number = 0; number < 200; number += 1) {
    insert.run(round, number)
    // Lets the chat server run between the application's own statements.
    if (number % 10 === 0) await new Promise(setImmediate)
  }
  await Promise.all([...sending, looking])
  process.stdout.write(`${round}\n`)
}
