import { createChatServer, type ChatServerOptions, type ConsumerContext } from '@parley/core'
import type { Knex } from 'knex'

/**
 * A process that bills messages until it is killed: it never ends the transaction of the message
 * `wait`. It prints what it handles.
 */
const database = JSON.parse(process.argv[2] ?? '{}') as ChatServerOptions['database']
const chat = createChatServer({ database })
chat.consume(
  'billing',
  { types: ['message'], batch: 2 },
  async ({ message }, { trx }: ConsumerContext<Knex.Transaction>) => {
    await trx('bills').insert({ text: message.content })
    process.stdout.write(`${message.content}\n`)
    if (message.content === 'wait') await new Promise(() => {})
  },
)
await chat.start()
process.stdout.write('started\n')
