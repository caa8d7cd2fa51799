import { randomBytes } from 'node:crypto'

import { createChatServer } from '@parley/core'
import createKnex, { type Knex } from 'knex'
import pg from 'pg'

import type { TestDatabase } from './databases.js'

/** Of this run, so that all of its processes use the same one. */
const templateName =
  `parley_template_${process.env.CHAT_TEST_RUN_FOLDER?.replaceAll(/\W/g, '') ?? ''}`
    .toLowerCase()
    .slice(-60)

/** Whole numbers of 64 bits, which the driver returns as texts, are numbers for tests. */
const numbers = {
  getTypeParser: (oid: Parameters<typeof pg.types.getTypeParser>[0], format?: 'text') =>
    oid === pg.types.builtins.INT8 ? Number : (pg.types.getTypeParser(oid, format) as unknown),
  // A process that gets the configuration as JSON has the driver's own types.
  toJSON: () => undefined,
}

/** Databases of a PostgreSQL server for tests. */
export class PostgresDatabases {
  #isPrepared = false

  constructor(private readonly server: URL) {}

  readonly create = async ({ mayHaveTables } = { mayHaveTables: false }): Promise<TestDatabase> => {
    const name = `parley_test_${randomBytes(8).toString('hex')}`
    const template = mayHaveTables ? templateName : 'template0'
    await this.#onServer(async (knex) => {
      if (mayHaveTables && !this.#isPrepared) await this.#prepare(knex)
      await knex.raw(`CREATE DATABASE ${name} TEMPLATE ${template}`)
    })
    const drop = () =>
      this.#onServer(async (knex) => {
        await knex.raw(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      })
    return { config: this.#config(name), url: this.#url(name), drop }
  }

  /** Makes the database that others are copied from: to create the tables takes long. */
  async #prepare(knex: Knex): Promise<void> {
    await knex.transaction(async (lock) => {
      await lock.raw('SELECT pg_advisory_xact_lock(1)')
      const found = await lock('pg_database').where({ datname: templateName }).first<unknown>('oid')
      if (found !== undefined) return
      const making = `${templateName}_new`.slice(-63)
      await knex.raw(`DROP DATABASE IF EXISTS ${making} WITH (FORCE)`)
      await knex.raw(`CREATE DATABASE ${making} TEMPLATE template0`)
      const chat = createChatServer({ database: this.#config(making) })
      await chat.migrate()
      await chat.close()
      await knex.raw(`ALTER DATABASE ${making} RENAME TO ${templateName}`)
    })
    this.#isPrepared = true
  }

  async #onServer(work: (knex: Knex) => Promise<void>): Promise<void> {
    const knex = createKnex(this.#config('postgres'))
    try {
      await work(knex)
    } finally {
      await knex.destroy()
    }
  }

  #config(database: string): Knex.Config {
    const { hostname, port, username, password } = this.server
    const connection = {
      host: hostname,
      port: Number(port || 5432),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      database,
      types: numbers,
    }
    return { client: 'pg', connection }
  }

  #url(database: string): string {
    const url = new URL(this.server)
    url.pathname = `/${database}`
    return url.href
  }
}
