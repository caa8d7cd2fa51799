import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request as send } from 'node:http'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import {
  createChatServer,
  sendChatResponse,
  toChatRequest,
  type AllServerOptions,
  type ChatServer,
} from '@parley/core'
import type { Knex } from 'knex'
import knexPackage from 'knex'
import { WebSocket } from 'ws'

import { setupProblemCodes } from '../../packages/core/src/kernel/setup-problems.js'
import { root } from '../architecture/source-files.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { within } from '../support/waiting.js'
import { basePath, mounts, type Mount } from './base-path-hosts.js'
import { Product } from './product.js'

const inNode: Mount = (chat) => async (request, response) => {
  const answer = await chat.handle(toChatRequest(request, response))
  if (answer) sendChatResponse(response, answer)
}

const complete = { secret: 'a secret of thirty-two characters', baseUrl: 'https://chat.example' }
const owner = { externalId: '1', email: 'alice@product.example', fullName: 'Alice' }

async function codesOf(chat: ChatServer): Promise<readonly string[]> {
  return (await chat.diagnose()).map(({ code }) => code)
}

/** The status of a request with headers that `fetch` does not send. */
async function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const request = send(url, { headers })
  request.end()
  const [response] = await once(request, 'response')
  response.resume()
  return response.statusCode
}

reportSkippedColumns()
for (const column of databaseColumns()) {
  describe(`the diagnosis of a chat (${column.title})`, () => {
    const cleaning: (() => unknown)[] = []
    after(async () => {
      for (const clean of cleaning.toReversed()) await clean()
    })

    async function newDatabase(mayHaveTables = true): Promise<Knex.Config> {
      const { config, drop } = await column.create({ mayHaveTables })
      cleaning.push(drop)
      return config
    }

    async function started(
      options: Partial<AllServerOptions> = {},
      usual: Partial<AllServerOptions> = complete,
    ) {
      const lines: string[] = []
      const log = (): void => {}
      const chat = createChatServer({
        database: await newDatabase(),
        logger: { debug: log, info: log, warn: (text) => void lines.push(text), error: log },
        ...usual,
        ...options,
        resolveOrganization: undefined,
      })
      cleaning.push(() => chat.close())
      await chat.start()
      return { chat, lines }
    }

    async function mounted(chat: ChatServer, mount: Mount): Promise<Product> {
      const product = await Product.listen(() => {})
      cleaning.push(() => product[Symbol.asyncDispose]())
      const answer = mount(chat, product.server)
      product.server.on('request', (request, response) => void answer(request, response))
      return product
    }

    it('names what is missing, once in the log, and no longer when it is there', async () => {
      const { chat, lines } = await started({}, {})
      const missing = ['NO_SECRET', 'NO_BASE_URL', 'NO_ORGANIZATION']
      assert.deepEqual(await codesOf(chat), missing)
      assert.deepEqual(await codesOf(chat), missing)
      assert.equal(lines.length, 3, lines.join('\n'))

      await chat.organizations.create({ subdomain: '', name: 'Product', owner })
      assert.deepEqual(await codesOf(chat), ['NO_SECRET', 'NO_BASE_URL'])
      const { chat: other } = await started({ development: true }, {})
      assert.deepEqual(await codesOf(other), ['NO_ORGANIZATION'])
    })

    it('warns at the first request if there is no organization', async () => {
      const { chat, lines } = await started()
      const product = await mounted(chat, inNode)
      for (let count = 0; count < 2; count += 1) {
        assert.equal((await fetch(`${product.origin}/api/v1/users/me`)).status, 401)
      }
      assert.deepEqual(
        lines.map((line) => line.split(':', 1)[0]),
        ['There is no organization'],
      )
    })

    it('names the origins that were refused, ten at most', async () => {
      const { chat } = await started({ identify: () => owner })
      await chat.organizations.create({ subdomain: '', name: 'Product', owner })
      const product = await mounted(chat, inNode)
      for (let count = 0; count < 12; count += 1) {
        const answer = await fetch(`${product.origin}/api/v1/users/me/presence`, {
          method: 'POST',
          headers: { Cookie: 'session=1', Origin: `https://page-${count}.example` },
        })
        assert.equal(answer.status, 403)
      }
      const found = await chat.diagnose()
      assert.equal(found.length, 10)
      assert.equal(found[0]?.code, 'ORIGIN_REFUSED')
      // The newest ones.
      assert.match(
        found[9]?.message ?? '',
        /https:\/\/page-11\.example .* https:\/\/chat\.example:/,
      )
    })

    it('names upgrades that are not attached', async () => {
      const { chat } = await started()
      const product = await mounted(chat, inNode)
      const address = `${product.origin}/api/v1/events`
      const socket = new WebSocket(address.replace('http', 'ws'))
      const [error] = await within('the refusal', once(socket, 'error'))
      assert.match(String(error), /400/)
      assert.deepEqual(await codesOf(chat), ['UPGRADE_NOT_ATTACHED', 'NO_ORGANIZATION'])
    })

    for (const [title, left] of [
      ['both headers', {}],
      ['Upgrade', { Connection: 'Upgrade' }],
      ['Connection', { Connection: 'close', Upgrade: 'websocket' }],
    ] as const) {
      it(`names a proxy that drops ${title} of upgrades`, async () => {
        const { chat } = await started()
        const product = await mounted(chat, inNode)
        const key = {
          'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
          'Sec-WebSocket-Version': '13',
        }
        assert.equal(await statusOf(`${product.origin}/api/v1/events`, { ...key, ...left }), 400)
        assert.deepEqual(await codesOf(chat), ['UPGRADE_HEADER_MISSING', 'NO_ORGANIZATION'])
      })
    }

    for (const name of ['Express at the path', 'nested routers of Express', 'Koa at the path']) {
      it(`knows the path at which it is mounted: ${name}`, async () => {
        const { chat } = await started()
        const mount = mounts[name]
        assert.ok(mount !== undefined)
        const product = await mounted(chat, mount)
        for (const path of ['/other', '/api/v1/nothing', '/api/v1/users/me']) {
          assert.deepEqual(await codesOf(chat), ['NO_ORGANIZATION'])
          assert.equal((await fetch(`${product.origin}${basePath}${path}`)).status, 404)
        }
        const [, found] = await chat.diagnose()
        assert.equal(found?.code, 'BASE_PATH_MISSING')
        assert.match(found.message, /set the option basePath to '\/team\/chat'/)
      })
    }

    for (const name of ['Express at the path', 'Koa at the path']) {
      it(`knows that it is mounted at another path than its own: ${name}`, async () => {
        const { chat } = await started({ basePath: '/own' })
        const product = await mounted(chat, mounts[name] as Mount)
        assert.equal((await fetch(`${product.origin}${basePath}/api/v1/users/me`)).status, 404)
        const [found] = await chat.diagnose()
        assert.equal(found?.code, 'BASE_PATH_MISSING')
        assert.ok(found.message.endsWith(`set the option basePath to '${basePath}'`))
      })
    }

    it('knows that its own path is below the one at which it is mounted', async () => {
      const { chat } = await started({ basePath: '/own' })
      const product = await mounted(chat, mounts['Express at the path'] as Mount)
      assert.equal((await fetch(`${product.origin}${basePath}/own/api/v1/users/me`)).status, 404)
      const [found] = await chat.diagnose()
      assert.equal(found?.code, 'BASE_PATH_MISSING')
      assert.ok(found.message.endsWith(`set the option basePath to '${basePath}/own'`))
    })

    it('names a resolveOrganization without an answer', async () => {
      const chat = createChatServer({
        database: await newDatabase(),
        ...complete,
        resolveOrganization: () => undefined as unknown as null,
      })
      cleaning.push(() => chat.close())
      await chat.start()
      const product = await mounted(chat, inNode)
      assert.equal((await fetch(`${product.origin}/api/v1/users/me`)).status, 401)
      assert.ok((await codesOf(chat)).includes('ORGANIZATION_UNDEFINED'))
    })

    it('names the first organization of resolveOrganization that does not exist', async () => {
      const chat = createChatServer({
        database: await newDatabase(),
        ...complete,
        resolveOrganization: ({ url }) => new URL(url ?? '', complete.baseUrl).search.slice(1),
      })
      cleaning.push(() => chat.close())
      await chat.start()
      await chat.organizations.create({ subdomain: 'tea', name: 'Product', owner })
      const product = await mounted(chat, inNode)
      for (const subdomain of ['tea', 'localhost', 'www']) {
        await fetch(`${product.origin}/api/v1/users/me?${subdomain}`)
      }
      const [found, ...more] = await chat.diagnose()
      assert.equal(found?.code, 'ORGANIZATION_UNKNOWN')
      assert.match(found.message, /returned "localhost", and no organization has this subdomain/)
      assert.deepEqual(more, [])
    })

    it('names a body that something else has read before', async () => {
      const { chat } = await started({ identify: () => owner })
      await chat.organizations.create({ subdomain: '', name: 'Product', owner })
      const product = await mounted(chat, (own) => async (request, response) => {
        if (request.url?.endsWith('?lost')) for await (const _ of request);
        await inNode(own, product.server)(request, response)
      })
      const headers = { Cookie: 'session=1', Origin: complete.baseUrl }
      const path = `${product.origin}/api/v1/users/me/presence`
      for (const [search, body] of [
        ['', 'status=active'],
        ['?lost', ''],
        ['?lost', 'status=active'],
      ] as const) {
        assert.deepEqual(await codesOf(chat), [])
        const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
        await fetch(`${path}${search}`, { method: 'POST', headers: { ...headers, ...type }, body })
      }
      assert.deepEqual(await codesOf(chat), ['BODY_LOST'])
    })

    it('warns once of requests before the start, and forgets them then', async () => {
      const warnings: (string | undefined)[] = []
      const log = (): void => {}
      const warn = (_: string, facts?: { problem?: string }): void =>
        void warnings.push(facts?.problem)
      const chat = createChatServer({
        database: await newDatabase(),
        ...complete,
        logger: { debug: log, info: log, warn, error: log },
      })
      cleaning.push(() => chat.close())
      const product = await mounted(chat, inNode)
      for (let count = 0; count < 2; count += 1) {
        assert.equal((await fetch(`${product.origin}/api/v1/users/me`)).status, 503)
      }
      assert.deepEqual(warnings, ['NOT_STARTED'])
      await chat.start()
      assert.deepEqual(await codesOf(chat), ['NO_ORGANIZATION'])
    })

    it('names headers of proxies that are not trusted', async () => {
      const { chat } = await started({}, {})
      const { chat: told } = await started()
      for (const each of [chat, told]) {
        await each.organizations.create({ subdomain: '', name: 'Product', owner })
        const product = await mounted(each, inNode)
        const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'chat.example' }
        const { host } = new URL(product.origin)
        for (const same of [{ 'X-Forwarded-Proto': 'http', 'X-Forwarded-Host': host }, headers]) {
          assert.ok(!(await codesOf(each)).includes('FORWARDED_HEADERS_IGNORED'))
          await fetch(`${product.origin}/api/v1/server_settings`, { headers: same })
        }
      }
      const found = await chat.diagnose()
      assert.match(found.at(-1)?.message ?? '', /X-Forwarded-Proto and X-Forwarded-Host/)
      assert.deepEqual(await codesOf(told), [])
    })

    it('names tables that are missing', async () => {
      const chat = createChatServer({ database: await newDatabase(false), migrations: 'off' })
      cleaning.push(() => chat.close())
      await assert.rejects(chat.start(), /cannot be used: a table is missing.*call migrate\(\)/)
    })

    if (column.name === 'mysql') {
      it('names a clock that differs from that of the database', async () => {
        const database = await newDatabase()
        const afterCreate = (
          connection: { query(sql: string, done: (error: Error | null) => void): void },
          done: (error: Error | null) => void,
        ): void => connection.query('SET timestamp = UNIX_TIMESTAMP() + 60', done)
        const { chat, lines } = await started({
          database: { ...database, pool: { ...database.pool, afterCreate } },
        })
        await chat.diagnose()
        const found = (await chat.diagnose()).find(({ code }) => code === 'CLOCK_DIFFERS')
        assert.match(found?.message ?? '', /is -(5|6)\d seconds behind that of the database/)
        assert.equal(lines.filter((line) => line.includes('clock')).length, 1)
      })

      it('names rights, passwords, databases and servers that are missing', async () => {
        const database = await newDatabase()
        const knex = knexPackage(database)
        const reader = `reader_${randomBytes(6).toString('hex')}`
        cleaning.push(async () => {
          await knex.raw(`DROP USER '${reader}'@'%'`)
          await knex.destroy()
        })
        const [[row]] = await knex.raw('SELECT DATABASE() AS name')
        await knex.raw(`CREATE USER '${reader}'@'%' IDENTIFIED BY 'right'`)
        await knex.raw(`GRANT SELECT ON \`${row.name}\`.* TO '${reader}'@'%'`)
        const connection = database.connection as Knex.MySql2ConnectionConfig
        const as = (own: Knex.MySql2ConnectionConfig): Knex.Config => ({
          ...database,
          connection: { ...connection, ...own },
        })
        for (const [config, reason] of [
          [as({ user: reader, password: 'right' }), /its user has too few rights/],
          [as({ user: reader, password: 'wrong' }), /the user or the password is wrong/],
          [as({ database: `${row.name}_not` }), /it does not exist/],
          [as({ port: 1 }), /cannot be reached: is its server running, .*\? .*ECONNREFUSED/],
          [as({ host: 'localhost', port: 1 }), /cannot be reached/],
        ] as const) {
          const chat = createChatServer({ database: config })
          cleaning.push(() => chat.close())
          await assert.rejects(chat.start(), reason)
        }
      })
    }
  })
}

describe('the page about the diagnosis', () => {
  it('has each problem', async () => {
    const page = await readFile(join(root, 'docs', 'diagnosis.md'), 'utf8')
    const codes = Array.from(page.matchAll(/^\| `([A-Z_]+)` \|/gm), ([, code]) => code)
    assert.deepEqual(codes.toSorted(), setupProblemCodes.toSorted())
  })
})
