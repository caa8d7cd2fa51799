import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { build } from 'esbuild'

import { root, runCommand } from './run-command.mjs'

/**
 * Products that run a chat with the packed packages: an ES module that requires them as well, a
 * test of Jest, a bundle, and products with another release of Knex than the chat.
 */

/** Their versions, beside those of the workspace. */
export const consumerVersions = {
  knex: '3.1.0',
  'knex-latest': 'npm:knex@^3.1.0',
  jest: '^29.7.0',
  // The last release that knows moduleResolution node10.
  'typescript-node10': 'npm:typescript@~5.9.3',
  // The examples of @parley/client use them.
  '@types/react': '^19.3.0',
  '@types/ws': '^8.18.2',
}

/** What every product does: its rows and a message in one transaction, hooks, pages, a request. */
const product = `
const { once } = require('node:events')
const { join } = require('node:path')

exports.useChat = async ({ core, more, createChatMiddleware, express, createKnex, folder, name }) => {
  const connection = { filename: join(folder, name + '.sqlite') }
  const knex = createKnex({ client: 'sqlite3', connection, useNullAsDefault: true })
  await knex.schema.createTable('orders', (table) => void table.increments('id'))
  const ada = { externalId: '7', email: 'ada@product.example', fullName: 'Ada Byron' }
  const chat = core.createChatServer({ database: knex, identify: () => ada })
  await chat.start()
  await chat.organizations.ensure({ name: 'Product', owner: ada })
  chat.before('sendMessage', ({ params: { content } }) => {
    if (content === 'refused') throw new core.ChatError('BAD_REQUEST', { message: 'not here' })
  })
  const wrongFile = await chat.organizations.load({ users: [] }).catch((error) => error)
  const page = { organizationUrl: 'https://product.example', now: new Date() }
  const { html } = more.renderMessage('**ordered** $$x^2$$', page)
  const user = chat.as({ externalId: '7' })
  const draft = { type: 'direct', to: [await user.id()], content: '**ordered** $$x^2$$' }
  const { id } = await knex.transaction(async (within) => {
    await within('orders').insert({})
    return user.api.sendMessage(draft, { within })
  })
  const refusal = await user.api.sendMessage({ ...draft, content: 'refused' }).catch((error) => error)
  const server = express().use(createChatMiddleware(chat)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = 'http://127.0.0.1:' + server.address().port
  const answer = await fetch(origin + '/api/v1/messages/' + id)
  const { message } = await answer.json()
  server.closeAllConnections()
  server.close()
  await chat.close()
  await knex.destroy()
  const isRight =
    refusal instanceof core.ChatError &&
    refusal.message === 'not here' &&
    wrongFile instanceof more.OrganizationFileError &&
    html === message?.content &&
    /<strong>ordered<\\/strong>.*katex/.test(html)
  if (!isRight) throw new Error(name + ': ' + answer.status + ' ' + JSON.stringify(message) + refusal)
  return true
}
`

/** Libraries that few processes need at once, and what makes the core load them. */
const lazyUse = `
const { createChatServer } = require('@parley/core')
const { highlightCode, renderMessage } = require('@parley/core/markdown')
createChatServer({ database: { client: 'sqlite3', connection: { filename: 'lazy.sqlite' } } })
const page = { organizationUrl: 'https://product.example', now: new Date() }
renderMessage('**early**', page)
const isLoaded = (name) =>
  Object.keys(require.cache).some((file) => file.includes('/node_modules/' + name + '/'))
const lazy = [
  'ajv', 'katex', 'highlight.js', 'tlds', 'diff', '@zxcvbn-ts/core', 'disposable-email-domains-js',
]
const early = lazy.filter(isLoaded)
if (early.length > 0) throw new Error('loaded too early: ' + early)
const { html } = renderMessage('$$x$$ and example.com', page)
if (!/class="katex"/.test(html) || !/href="https?:..example.com/.test(html)) throw new Error(html)
if (!highlightCode('let a = 1', 'javascript')?.some(({ text }) => text === 'let')) {
  throw new Error('no code is highlighted')
}
const missing = ['katex', 'highlight.js', 'tlds'].filter((name) => !isLoaded(name))
if (missing.length > 0) throw new Error('not loaded from their packages: ' + missing)
`

const moduleUse = `
import { createRequire } from 'node:module'
import * as core from '@parley/core'
import * as importing from '@parley/core/import'
import * as ldap from '@parley/core/ldap'
import * as markdown from '@parley/core/markdown'
import { createChatMiddleware } from '@parley/express'
import express from 'express'
import knex from 'knex'
import latestKnex from 'knex-latest'
import { useChat } from './product.cjs'

const require = createRequire(import.meta.url)
const copies = {
  '@parley/core': core,
  '@parley/core/import': importing,
  '@parley/core/ldap': ldap,
  '@parley/core/markdown': markdown,
}
for (const [name, imported] of Object.entries(copies)) {
  const required = require(name)
  for (const key of new Set([...Object.keys(imported), ...Object.keys(required)])) {
    if (imported[key] !== required[key]) throw new Error(name + ' has two copies of ' + key)
  }
}
const folder = import.meta.dirname
const more = { ...importing, ...markdown }
const versions = { knex, 'knex-latest': latestKnex }
for (const [name, createKnex] of Object.entries(versions)) {
  await useChat({ core, more, createChatMiddleware, express, createKnex, folder, name })
}
`

const jestUse = `
const core = require('@parley/core')
const { ldapPasswordAuthenticator } = require('@parley/core/ldap')
const { createChatMiddleware } = require('@parley/express')
const koa = require('@parley/koa')
const express = require('express')
const createKnex = require('knex')
const { useChat } = require('./product.cjs')

test('a product with a chat', async () => {
  expect(typeof ldapPasswordAuthenticator).toBe('function')
  expect(typeof koa.createChatMiddleware).toBe('function')
  const folder = __dirname
  const more = { ...require('@parley/core/import'), ...require('@parley/core/markdown') }
  const used = useChat({ core, more, createChatMiddleware, express, createKnex, folder, name: 'jest' })
  await expect(used).resolves.toBe(true)
}, 600_000)
`

const bundledUse = `
import * as core from '@parley/core'
import { OrganizationFileError } from '@parley/core/import'
import { renderMessage } from '@parley/core/markdown'
import { createChatMiddleware } from '@parley/express'
import express from 'express'
import createKnex from 'knex'
import { useChat } from './product.cjs'

const more = { OrganizationFileError, renderMessage }
useChat({ core, more, createChatMiddleware, express, createKnex, folder: process.cwd(), name: 'bundle' })
`

/** Two releases of Knex, whose types do not match each other. */
export const knexTypes = `
import type { ChatServerOptions, UserApi } from '@parley/core'
import type { Knex } from 'knex'
import type { Knex as LatestKnex } from 'knex-latest'

type Database = ChatServerOptions['database']
export const instances = (own: Knex, latest: LatestKnex): Database[] => [own, latest]
export const configurations = (own: Knex.Config, latest: LatestKnex.Config): Database[] => [
  own,
  latest,
  { client: 'sqlite3', connection: { filename: 'product.sqlite' }, useNullAsDefault: true },
]
export async function send(
  user: UserApi,
  knex: Knex,
  transactions: { own: Knex.Transaction; latest: LatestKnex.Transaction },
): Promise<void> {
  const message = { type: 'direct', to: [7], content: 'x' } as const
  await user.api.sendMessage(message, { within: transactions.own })
  await user.api.sendMessage(message, { within: transactions.latest })
  // @ts-expect-error an instance is not a transaction
  await user.api.sendMessage(message, { within: knex })
}
`

/** CommonJS as TypeScript writes it under nodenext. */
export const commonJsTypes = `
import core = require('@parley/core')
import importing = require('@parley/core/import')
import ldap = require('@parley/core/ldap')
import markdown = require('@parley/core/markdown')
import express = require('@parley/express')
import koa = require('@parley/koa')

export const mount = (chat: core.ChatServer) => [
  express.createChatMiddleware(chat),
  koa.createChatMiddleware(chat),
]
export const problemsOf = (error: importing.OrganizationFileError) => error.problems
export const render: (text: string, options: markdown.RenderOptions) => { html: string } =
  markdown.renderMessage
export const authenticators: core.ChatServerOptions['passwordAuthenticators'] = [
  ldap.ldapPasswordAuthenticator({ url: 'ldaps://directory.example', userDn: 'uid={username}' }),
]
// @ts-expect-error a chat server has a type; this line fails where it became \`any\`
mount({ no: 'chat server' })
`

/** Drivers of databases that the product does not use, which Knex names all the same. */
const otherDrivers = [
  'better-sqlite3',
  'mysql',
  'mysql2',
  'oracledb',
  'pg',
  'pg-query-stream',
  'tedious',
  'sharp',
  'mailparser',
  'htmlparser2',
  '@node-rs/argon2',
]

/** What a bundle of ES modules begins with, because the chat's parts and Knex call `require`. */
const requireInModules =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"

/** The built driver of the workspace: consumers are installed without running install scripts. */
export function linkSqlite(folder) {
  const target = join(folder, 'node_modules', 'sqlite3')
  const source = realpathSync(join(root, 'packages', 'core', 'node_modules', 'sqlite3'))
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  if (!existsSync(target)) symlinkSync(source, target, 'junction')
}

/** Those of a run on another version of Node. */
function removeDatabases(folder) {
  for (const name of readdirSync(folder).filter((each) => each.includes('.sqlite'))) {
    rmSync(join(folder, name))
  }
}

/** Runs the products with the program `node`; `step` reports each of them. */
export async function useAsProducts(node, folder, step) {
  linkSqlite(folder)
  removeDatabases(folder)
  const write = (name, text) => writeFileSync(join(folder, name), text)
  write('product.cjs', product)

  await step('a product with two copies of Knex imports and requires them', async () => {
    const { version } = JSON.parse(
      readFileSync(join(folder, 'node_modules/knex/package.json'), 'utf8'),
    )
    if (version !== consumerVersions.knex) throw new Error(`knex is ${version}`)
    if (existsSync(join(folder, 'node_modules/@parley/core/node_modules/knex'))) {
      throw new Error('@parley/core did not take the Knex of the product')
    }
    write('use-product.mjs', moduleUse)
    await runCommand(node, ['use-product.mjs'], { cwd: folder })
  })

  await step('libraries that few need are loaded on first use', async () => {
    write('lazy.cjs', lazyUse)
    await runCommand(node, ['lazy.cjs'], { cwd: folder })
  })

  await step('Jest without flags runs a product', async () => {
    write('product.test.cjs', jestUse)
    write('jest.config.json', JSON.stringify({ testMatch: ['**/product.test.cjs'] }))
    const jest = join('node_modules', 'jest', 'bin', 'jest.js')
    await runCommand(node, [jest, '--config', 'jest.config.json', '--ci'], {
      cwd: folder,
    })
  })

  await step('a bundle of a product runs with nothing beside it but sqlite3', async () => {
    write('bundled.mjs', bundledUse)
    const alone = join(folder, '..', 'bundle')
    linkSqlite(alone)
    for (const [outfile, format] of [
      ['bundle.cjs', { format: 'cjs' }],
      ['bundle.mjs', { format: 'esm', banner: { js: requireInModules } }],
    ]) {
      removeDatabases(alone)
      await build({
        absWorkingDir: folder,
        entryPoints: ['bundled.mjs'],
        outfile: join(alone, outfile),
        bundle: true,
        platform: 'node',
        external: ['sqlite3', ...otherDrivers],
        logLevel: 'error',
        ...format,
      })
      await runCommand(node, [outfile], { cwd: alone })
      if (!existsSync(join(alone, 'bundle.sqlite'))) throw new Error('it made no database')
    }
  })
}
