import http from 'node:http'
import type { AddressInfo } from 'node:net'

import express from 'express'
import Koa from 'koa'

import { Role, type Actor } from '../../../packages/core/src/domain/users/actor.js'
import type { ChatError } from '../../../packages/core/src/errors/index.js'
import type { ChatHandler } from '../../../packages/core/src/http/chat-request.js'
import {
  HttpPipeline,
  RateLimiter,
  type HttpPipelineDependencies,
  type HttpPipelineOptions,
  type Operation,
  type Organization,
  type RateLimitsOption,
} from '../../../packages/core/src/http/index.js'
import type { Clock } from '../../../packages/core/src/kernel/clock.js'
import type { LogFields } from '../../../packages/core/src/kernel/logger.js'
import { SetupProblems } from '../../../packages/core/src/kernel/setup-problems.js'
import { sendChatResponse, toChatRequest } from '../../../packages/core/src/node/index.js'
import { Translator } from '../../../packages/core/src/texts/index.js'
import * as expressAdapter from '../../../packages/express/src/index.js'
import * as koaAdapter from '../../../packages/koa/src/index.js'
import { within } from '../../support/waiting.js'
import { sampleOperations, SampleService } from './sample-operations.js'

export const organization: Organization = {
  id: 1,
  subdomain: '',
  name: 'Sample',
  isDeactivated: false,
}

export const member: Actor = {
  organizationId: 1,
  userId: 7,
  role: Role.member,
  isBot: false,
  botType: null,
  botOwnerId: null,
  joinedAtSeconds: 0,
  canCreateUsers: false,
  canChangeUserEmails: false,
}

/** A chat of sample operations whose dependencies a test can change at any time. */
export class SampleChat implements ChatHandler {
  readonly service = new SampleService()
  readonly log: { message: string; fields: LogFields | undefined }[] = []
  /** Milliseconds. */
  time = 1_700_000_000_000
  actor: Actor | undefined = member
  organization: Organization | undefined = organization
  credentialError: ChatError | undefined
  /** The error that the database dialect reports as unavailable. */
  readonly databaseError = new Error('SQLITE_BUSY')
  readonly pipeline: HttpPipeline
  /** Called when a timer is set. */
  whenWaiting: () => void = () => {}
  readonly #timers = new Set<{ readonly at: number; readonly callback: () => void }>()

  constructor(
    options: HttpPipelineOptions = {},
    limits: RateLimitsOption | 'off' = 'off',
    operations: readonly Operation[] = sampleOperations,
  ) {
    const report = (message: string, fields?: LogFields): void => {
      this.log.push({ message, fields })
    }
    const clock: Clock = {
      now: () => this.time,
      setTimeout: (callback, delayMilliseconds) => {
        const timer = { at: this.time + delayMilliseconds, callback }
        this.#timers.add(timer)
        this.whenWaiting()
        return { cancel: () => void this.#timers.delete(timer) }
      },
    }
    const logger = { debug: report, info: report, warn: report, error: report }
    this.pipeline = new HttpPipeline({
      operations,
      resolve: (() => this.service) as unknown as HttpPipelineDependencies['resolve'],
      organizations: { resolve: async () => this.organization },
      spectators: { admits: async () => false },
      authenticator: {
        authenticate: async () => {
          if (this.credentialError) throw this.credentialError
          return this.actor
        },
        requireCurrent: async () => {},
        sessionOf: () => undefined,
      },
      rateLimiter: new RateLimiter(clock, logger, limits),
      translator: new Translator({}, logger),
      languages: { ofUser: async () => undefined, ofOrganization: async () => undefined },
      clock,
      logger,
      problems: new SetupProblems(logger),
      unavailabilityOf: (error) =>
        error === this.databaseError ? 'The database is unavailable' : undefined,
      options,
    })
  }

  get pendingTimers(): number {
    return this.#timers.size
  }

  /** Advances the clock and calls the due timers. */
  advance(seconds: number): void {
    const end = this.time + seconds * 1000
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (next === undefined) break
      this.#timers.delete(next)
      this.time = Math.max(this.time, next.at)
      next.callback()
    }
    this.time = end
  }

  readonly handle: ChatHandler['handle'] = async (request) => this.pipeline.handle(request)

  readonly handleUpgrade: ChatHandler['handleUpgrade'] = (request, socket) => {
    if (request.url !== '/api/v1/events') return false
    socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: sample\r\nConnection: Upgrade\r\n\r\n')
    return true
  }
}

/** A listening server, closed with all its connections at the end of a test. */
export class SampleServer implements AsyncDisposable {
  private constructor(readonly server: http.Server) {}

  static async listen(listener: http.RequestListener): Promise<SampleServer> {
    const server = http.createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new SampleServer(server)
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    const closed = new Promise((resolve) => this.server.close(resolve))
    // An upgraded connection no longer belongs to the server, and keeps it open.
    await within('the end of all connections of a server', closed)
  }
}

/** Each way of mounting a chat; other paths get the response `host: <path>`. */
export const hosts: Readonly<Record<string, (chat: ChatHandler) => http.RequestListener>> = {
  'bare node:http': (chat) => (req, res) => {
    void chat.handle(toChatRequest(req, res)).then((response) => {
      if (response) sendChatResponse(res, response)
      else res.end(`host: ${req.url}`)
    })
  },
  Express: (chat) => expressHost(chat, [], []),
  'Express behind body parsers': (chat) =>
    expressHost(chat, [express.json(), express.urlencoded({ limit: '30mb', extended: true })], []),
  'Express before body parsers': (chat) =>
    expressHost(chat, [], [express.json(), express.urlencoded({ extended: true })]),
  Koa: (chat) => koaHost(chat, false),
  'Koa behind a body parser': (chat) => koaHost(chat, true),
}

function expressHost(
  chat: ChatHandler,
  before: express.RequestHandler[],
  after: express.RequestHandler[],
): http.RequestListener {
  const app = express()
  for (const handler of before) app.use(handler)
  app.use(expressAdapter.createChatMiddleware(chat))
  for (const handler of after) app.use(handler)
  app.use((req, res) => {
    res.end(`host: ${req.url}`)
  })
  return app
}

function koaHost(chat: ChatHandler, parsesBodies: boolean): http.RequestListener {
  const app = new Koa()
  // Koa reports aborted connections on the console.
  app.silent = true
  if (parsesBodies) app.use(readKoaForm)
  app.use(koaAdapter.createChatMiddleware(chat))
  app.use((ctx) => {
    ctx.body = `host: ${ctx.url}`
  })
  const callback = app.callback()
  return (req, res) => void callback(req, res)
}

/** Reads forms as a body parser for Koa does. */
const readKoaForm: Koa.Middleware = async (ctx, next) => {
  const form = ctx.is('urlencoded')
  const json = ctx.is('json')
  if (form || json) {
    const chunks: Buffer[] = []
    for await (const chunk of ctx.req) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const body: unknown = form ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text)
    Object.assign(ctx.request, { body })
  }
  await next()
}
