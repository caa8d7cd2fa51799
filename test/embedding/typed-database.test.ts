import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { createChatServer, NodeSqliteClient, type ChatServer } from '@parley/core'
import type { Knex } from 'knex'

/** What stands below an `@ts-expect-error` is refused by the compiler. */
describe('the type of the driver in the options', () => {
  it('must be one that the chat has', () => {
    const connection = { filename: 'chat.sqlite' }
    const wrong = { name: 'TypeError', message: /^database\.client is 'postgres'; use / }

    // @ts-expect-error -- Knex's other name for sqlite3, which instances of Knex may have
    assert.ok(createChatServer({ database: { client: 'sqlite', connection } }))
    // @ts-expect-error -- the driver is called pg
    assert.throws(() => createChatServer({ database: { client: 'postgres', connection } }), wrong)
    assert.throws(() => {
      // @ts-expect-error -- only mysql2 has nodes
      createChatServer({ database: { client: 'pg', nodes: ['postgres://db1/chat'] } })
    }, TypeError)
  })

  it('may come from a configuration or an instance of Knex', () => {
    const config: Knex.Config = { client: 'sqlite3', connection: { filename: 'chat.sqlite' } }
    const inferred = { client: 'sqlite3', connection: { filename: 'chat.sqlite' } }
    const isSet = inferred.client === 'sqlite3'

    const accepted: ChatServer[] = [
      createChatServer({ database: config }),
      createChatServer({ database: { ...config, useNullAsDefault: true } }),
      createChatServer({ database: inferred }),
      createChatServer({
        database: { client: isSet ? 'sqlite3' : 'mysql2', connection: config.connection },
      }),
      createChatServer(isSet ? { database: config } : { database: inferred }),
      createChatServer({ database: inferred, ...(isSet ? { identify: () => null } : {}) }),
    ]
    const compiled = (knex: Knex) => [
      createChatServer({ database: knex }),
      createChatServer({
        database: { client: NodeSqliteClient, connection: { filename: ':memory:' } },
      }),
    ]

    assert.equal(accepted.length, 6)
    assert.equal(typeof compiled, 'function')
  })
})
