import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'

import { createChatServer } from '@parley/core'
import createKnex, { type Knex } from 'knex'

import { postgresColumns, reportSkippedColumns } from '../support/databases.js'

interface Unusable {
  readonly name: string
  readonly problem: RegExp
  /** Statements of an administrator in the database; `role` names a new user. */
  readonly prepare?: (role: string) => readonly string[]
  /** What differs in the configuration. */
  readonly config?: Knex.Config
  readonly connection?: Knex.PgConnectionConfig
  /** Whether the chat is the new user. */
  readonly isOther?: true
  /** How another database is created, with the name of that user. */
  readonly creation?: string
}

type AfterCreate = (error: Error | null) => void
interface Connection {
  query(sql: string, done: AfterCreate): void
}

/** What the chat asks the server for its version, with another answer. */
const oldVersion = `CREATE FUNCTION other.current_setting(name text) RETURNS text LANGUAGE sql AS
  $$ SELECT CASE name WHEN 'server_version_num' THEN '120022'
     ELSE pg_catalog.current_setting(name) END $$`

const readOnly = `DO $$ BEGIN
  EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database());
  END $$`

const loginOf = (role: string): string => `CREATE ROLE ${role} LOGIN PASSWORD '${role}'`

const unusable: readonly Unusable[] = [
  {
    name: 'has no server at its address',
    connection: { port: 1 },
    problem: /cannot be reached: is its server running, at this host and port\? .*ECONNREFUSED/,
  },
  {
    name: 'may not create tables',
    prepare: (role) => ['REVOKE CREATE ON SCHEMA public FROM PUBLIC', loginOf(role)],
    isOther: true,
    problem: /too few rights\. Grant CREATE and USAGE on the schema to the user who migrates/,
  },
  {
    name: 'may not use the schema',
    prepare: (role) => ['REVOKE ALL ON SCHEMA public FROM PUBLIC', loginOf(role)],
    isOther: true,
    problem: /no schema that is in search_path.* Create it.*, or set search_path/,
  },
  {
    name: 'has a search_path without a schema',
    config: { searchPath: 'missing' },
    problem: /no schema that is in search_path.* Create it.*, or set search_path/,
  },
  {
    name: 'has another encoding',
    creation: "ENCODING 'LATIN1' LOCALE 'C'",
    problem: /another encoding than UTF8\. Create one with ENCODING 'UTF8'/,
  },
  {
    name: 'has sessions with another encoding',
    config: {
      pool: {
        afterCreate: (connection: Connection, done: AfterCreate) =>
          connection.query("SET client_encoding = 'LATIN1'", done),
      },
    },
    problem: /another client_encoding than UTF8\. Leave it/,
  },
  {
    name: 'is older than 13',
    prepare: () => ['CREATE SCHEMA other', oldVersion],
    config: { searchPath: ['other', 'pg_catalog', 'public'] },
    problem: /is PostgreSQL before version 13\. Use 13 or later/,
  },
  {
    name: 'has read-only transactions',
    prepare: () => [readOnly],
    problem: /are read-only\. Turn default_transaction_read_only off/,
  },
]

reportSkippedColumns()
for (const column of postgresColumns()) {
  describe(`a database of PostgreSQL that cannot be used (${column.title})`, () => {
    for (const { name, problem, prepare, config, connection, isOther, creation } of unusable) {
      it(`is refused with the remedy if it ${name}, and nothing is created`, async (t) => {
        const role = `parley_${randomBytes(8).toString('hex')}`
        const { config: own, drop } = await column.create()
        const server = createKnex(own)
        const database = creation === undefined ? own : { ...own, connection: named(own, role) }
        t.after(async () => {
          await server.raw(`DROP DATABASE IF EXISTS ${role} WITH (FORCE)`)
          await server.raw(`DROP ROLE IF EXISTS ${role}`)
          await server.destroy()
          await drop()
        })
        if (creation !== undefined) {
          await server.raw(`CREATE DATABASE ${role} TEMPLATE template0 ${creation}`)
        }
        for (const sql of prepare?.(role) ?? []) await server.raw(sql)
        const changed = {
          ...(database.connection as object),
          ...(isOther && { user: role, password: role }),
          ...connection,
        }

        const chat = createChatServer({
          database: { ...database, connection: changed, ...config },
        })
        await assert.rejects(chat.start(), problem)
        await assert.rejects(chat.migrate(), problem)
        await chat.close()

        const knex = createKnex(database)
        const tables = await knex('pg_class').where({ relkind: 'r' }).whereLike('relname', 'chat%')
        await knex.destroy()
        assert.deepEqual(tables, [])
      })
    }
  })
}

/** The connection with another database of the server. */
function named({ connection }: Knex.Config, database: string): object {
  return { ...(connection as object), database }
}
