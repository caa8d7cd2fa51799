import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

import {
  createChatServer,
  type ChatServer,
  type OneOrganizationOptions,
  type SeveralOrganizationsOptions,
} from '@parley/core'
import { attachChatUpgrade, createChatMiddleware } from '@parley/koa'
import Koa from 'koa'

import type { CleanUp } from './clean-up.js'
import type { BenchDatabase } from './databases.js'
import { organizationFile, type OrganizationPlan } from './organization.js'

/** Listens on a free port of the loopback interface. */
export async function listen(
  opened: CleanUp,
  listener?: RequestListener,
): Promise<{ server: Server; port: number }> {
  const server = listener === undefined ? createServer() : createServer(listener)
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  opened.add(async () => {
    // Not `closeAllConnections`, which leaves those that were upgraded.
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { server, port: (server.address() as AddressInfo).port }
}

export interface ChatHost {
  readonly chat: ChatServer
  readonly port: number
}

/** A route of the application itself. */
export const ownPath = '/own'

/** Starts a Koa application with the chat mounted, and an organization in it. */
export async function startChat(
  opened: CleanUp,
  database: BenchDatabase,
  plan: OrganizationPlan,
  options: Partial<OneOrganizationOptions> = {},
): Promise<ChatHost> {
  const host = await startHost(opened, database, options)
  await host.chat.organizations.load(organizationFile(plan))
  return host
}

/** The same without an organization. */
export async function startHost(
  opened: CleanUp,
  database: BenchDatabase,
  options: Partial<OneOrganizationOptions> | Omit<SeveralOrganizationsOptions, 'database'>,
): Promise<ChatHost> {
  const failures: string[] = []
  const chat = createChatServer({
    database: database.config,
    rateLimits: 'off',
    // As a product sets them: without, the log warns.
    secret: 'a secret of thirty-two characters',
    baseUrl: 'http://127.0.0.1',
    logger: {
      debug() {},
      info() {},
      warn: (message, fields) => failures.push(`${message} ${String(fields?.['err'])}`),
      error: (message, fields) => failures.push(`${message} ${String(fields?.['err'])}`),
    },
    ...options,
  })
  opened.add(async () => {
    await chat.close()
    if (failures.length > 0)
      throw new Error(`The chat complained: ${failures.slice(0, 5).join('; ')}`)
  })
  await chat.start()
  const app = new Koa()
  app.use(createChatMiddleware(chat))
  app.use((ctx) => {
    if (ctx.path === ownPath) ctx.body = 'The host itself'
  })
  const { server, port } = await listen(opened, (request, response) => {
    callback(request, response).catch(() => response.destroy())
  })
  const callback = app.callback()
  attachChatUpgrade(server, chat, app)
  return { chat, port }
}

/** Makes the tables and an organization in a database that only the floor will use. */
export async function prepareFloor(database: BenchDatabase, plan: OrganizationPlan): Promise<void> {
  const chat = createChatServer({ database: database.config, rateLimits: 'off' })
  await chat.start()
  await chat.organizations.load(organizationFile(plan))
  await chat.close()
}
