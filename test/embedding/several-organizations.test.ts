import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { createChatServer, type ChatServerOptions, type IdentifyInOrganization } from '@parley/core'
import { createChatMiddleware } from '@parley/express'
import express from 'express'

import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { Product } from './product.js'

const ada = { externalId: '7', email: 'ada@product.example', fullName: 'Ada Byron' }

describe('the types of the options', () => {
  it('require identify to return the organization if there are several', () => {
    const database = { client: 'sqlite3', connection: { filename: '/nowhere/chat.sqlite' } }
    const resolveOrganization = () => 'one'
    const one: ChatServerOptions = { database, identify: () => ada }
    const several: ChatServerOptions = {
      database,
      resolveOrganization,
      identify: () => ({ ...ada, organization: 'one' }),
    }
    // @ts-expect-error -- the organization is missing
    const wrong: ChatServerOptions = { database, resolveOrganization, identify: () => ada }

    for (const options of [one, several, wrong]) assert.ok(createChatServer(options))
  })
})

reportSkippedColumns()

for (const column of databaseColumns()) {
  describe(`an identity with several organizations (${column.name})`, () => {
    it('is rejected without an organization, and in any other than its own', async () => {
      const database = await column.create()
      const log: string[] = []
      const note = (text: string): void => void log.push(text)
      // As a program without TypeScript may return it.
      let identity = JSON.parse(JSON.stringify(ada)) as Awaited<ReturnType<IdentifyInOrganization>>
      const chat = createChatServer({
        database: database.config,
        rateLimits: 'off',
        logger: { debug() {}, info() {}, warn: note, error: note },
        resolveOrganization: ({ headers }) => String(headers.host).split('.', 1)[0] ?? null,
        identify: () => identity,
      })
      await chat.start()
      const product = await Product.listen(express().use(createChatMiddleware(chat)))
      const { nobody, file } = product.cast('one')
      await chat.organizations.load(file)
      await chat.organizations.load(product.cast('two', 200).file)
      const ask = async (host: string): Promise<number> => {
        const headers = { host: `${host}.example`, 'sec-fetch-site': 'same-origin' }
        return (await nobody.get('/users/me', {}, headers)).status
      }

      const withoutOrganization = [await ask('one'), await ask('two')]
      identity = { ...ada, organization: 'one' }
      const withOrganization = [await ask('one'), await ask('two')]

      assert.deepEqual(withoutOrganization, [500, 500])
      assert.match(log.join('\n'), /identify: organization is missing: with resolveOrganization/)
      assert.deepEqual(withOrganization, [200, 401])
      await product[Symbol.asyncDispose]()
      await chat.close()
      await database.drop()
    })

    it('of an authenticator has access to its own organization only', async () => {
      const database = await column.create()
      const chat = createChatServer({
        database: database.config,
        rateLimits: 'off',
        resolveOrganization: ({ headers }) => String(headers.host).split('.', 1)[0] ?? null,
        passwordAuthenticators: [
          {
            method: 'password',
            acceptsAnyUsername: true,
            authenticate: () => ({ ...ada, organization: 'one' }),
          },
        ],
      })
      await chat.start()
      const product = await Product.listen(express().use(createChatMiddleware(chat)))
      const { nobody, file } = product.cast('one')
      await chat.organizations.load(file)
      await chat.organizations.load(product.cast('two', 200).file)
      const logIn = async (host: string): Promise<unknown> => {
        const password = { username: 'ada', password: 'correct horse ada' }
        const { status, body } = await nobody.post('/fetch_api_key', password, {
          host: `${host}.example`,
        })
        return status === 200 || body.code
      }

      assert.deepEqual([await logIn('one'), await logIn('two')], [true, 'AUTHENTICATION_FAILED'])
      await product[Symbol.asyncDispose]()
      await chat.close()
      await database.drop()
    })
  })
}
