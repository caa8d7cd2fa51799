import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createChatServer, type AllServerOptions, type Mail } from '@parley/core'
import { createChatMiddleware } from '@parley/koa'
import Koa from 'koa'
import { createTransport } from 'nodemailer'

import { preparingAgain } from '../support/preparing-again.js'
import { TcpRateLimits } from '../support/tcp-rate-limits.js'

// The first argument contains the options as JSON; the others are the ports of a store and of an SMTP
// server, or nothing.
const parameters = JSON.parse(process.argv[2] ?? '') as Omit<AllServerOptions, 'identify'>
const storePort = Number(process.argv[3] ?? 0)
const sharedLimits = {
  apiByUser: [{ windowSeconds: 600, maxRequests: 6 }],
  store: new TcpRateLimits(storePort),
}
const mailPort = Number(process.argv[4] ?? 0)
const transport = createTransport({ host: '127.0.0.1', port: mailPort, ignoreTLS: true })
function print(message: string, { err }: { readonly err?: unknown } = {}): void {
  process.stdout.write(`log: ${message}${err instanceof Error ? `: ${err.message}` : ''}\n`)
}
const chat = createChatServer({
  ...parameters,
  ...preparingAgain,
  ...(mailPort !== 0 && {
    mail: {
      send: async (mail: Mail) => {
        await transport.sendMail({ from: 'chat@product.example', ...mail })
      },
    },
  }),
  rateLimits: storePort === 0 ? 'off' : sharedLimits,
  logger: { debug() {}, info: print, warn: print, error: print },
  resolveOrganization: (request) => String(request.headers['x-organization'] ?? ''),
})
// Such a message is committed, and its sender gets no answer.
chat.after('sendMessage', ({ params }) =>
  params.content === 'never answered' ? new Promise<void>(() => {}) : undefined,
)
await chat.start()
const app = new Koa()
app.use(createChatMiddleware(chat))
const answer = app.callback()
const server = createServer((request, response) => void answer(request, response))
// A client that reuses an idle connection while it is closed would receive a reset.
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.stdout.write(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
