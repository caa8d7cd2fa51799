import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { root } from './run-command.mjs'

/** Names that the examples use without declaring them: those of the product around them. */
const documentedProduct = `
declare global {
  type ChatServer = import('@parley/core').ChatServer
  type PasswordAuthenticator = import('@parley/core').PasswordAuthenticator
  const ChatError: typeof import('@parley/core').ChatError
  const createChatServer: typeof import('@parley/core').createChatServer
  const sendChatResponse: typeof import('@parley/core').sendChatResponse
  const toChatRequest: typeof import('@parley/core').toChatRequest
  const createServer: typeof import('node:http').createServer
  const attachChatUpgrade: typeof import('@parley/express').attachChatUpgrade
  const createChatMiddleware: typeof import('@parley/express').createChatMiddleware
  const app: import('express').Express
  const server: import('node:http').Server
  const chat: ChatServer
  const knex: import('knex').Knex
  const database: import('knex').Knex
  const identify: import('@parley/core').Identify
  const connection: import('@parley/core/transactions').Mysql2Connection & {
    beginTransaction(): Promise<void>
    query(sql: string, values: readonly unknown[]): Promise<readonly unknown[]>
    commit(): Promise<void>
  }
  const secret: string
  const previousSecret: string
  const serverId: string
  const serverKey: string
  const email: string
  const authorization: string
  const paths: readonly string[]
  const client: import('@parley/client').ChatClient
  const list: import('@parley/client').MessageList
  const file: File
  const url: string
  const ending: AbortController
  const composer: HTMLTextAreaElement
  const retryButton: HTMLButtonElement
  const bar: HTMLProgressElement
  function show(...of: unknown[]): void
  const apiKey: string
  const accounts: {
    findByPassword(
      name: string,
      password: string,
    ): Promise<{ id: number; email: string; name: string; isClosed: boolean } | undefined>
  }
  const codes: {
    isRequired(externalId: string | null): Promise<boolean>
    verify(externalId: string | null, code: string): Promise<boolean>
  }
  function ownRoutes(...of: unknown[]): void
  function createTransport(to: object): { sendMail(mail: object): Promise<void> }
  function publish(channel: string, text: string): void
  function onMessage(channel: string, listener: (text: string) => void): () => void
}
export {}
`

/** Pages whose examples are compiled: every page that is written by hand. */
function handWrittenPages() {
  const pages = readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))
    .filter((path) => !readFileSync(join(root, path), 'utf8').startsWith('<!-- Written by'))
  return [
    'README.md',
    'packages/core/README.md',
    'packages/express/README.md',
    'packages/koa/README.md',
    'packages/redis/README.md',
    'packages/client/README.md',
    ...pages,
  ]
}

/**
 * Every block of TypeScript in the documentation, as modules to compile, by file name. A block
 * becomes a function, so that it may use `await` and the product's names. Programs of the tests,
 * which `docs:generate` writes into pages, are compiled and run there.
 */
export function documentedExamples() {
  const imported = /^import .*\n/gm
  const files = new Map([['documented-product.ts', documentedProduct]])
  for (const page of handWrittenPages()) {
    const text = readFileSync(join(root, page), 'utf8')
    for (const { 1: block = '', index } of text.matchAll(/^```[jt]s\n([^]*?)^```$/gm)) {
      if (text.slice(0, index).endsWith('` -->\n\n')) continue
      const line = text.slice(0, index).split('\n').length
      const name = `documented-${page.replaceAll(/\W+/g, '-').toLowerCase()}-${line}.ts`
      const imports = (block.match(imported) ?? []).join('')
      const body = block.replaceAll(imported, '')
      files.set(name, `${imports}export async function example() {\n${body}}\n`)
    }
  }
  return files
}

/** The only block in another language of examples: it needs the types of a generated client. */
export function documentedClient() {
  const text = readFileSync(join(root, 'docs/clients.md'), 'utf8')
  const [, block] = /^```typescript\n([^]*?)^```$/m.exec(text) ?? []
  if (block === undefined) throw new Error('docs/clients.md shows no generated client')
  return `declare const [email, apiKey]: [string, string]\n${block}`
}
