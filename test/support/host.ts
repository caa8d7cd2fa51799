import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe } from 'node:test'

import {
  createChatServer,
  type ChatServer,
  type AllServerOptions,
  type Identify,
  type IdentifyInOrganization,
  type Logger,
} from '@parley/core'
import * as inExpress from '@parley/express'
import * as inKoa from '@parley/koa'
import express from 'express'
import type { Knex } from 'knex'
import Koa from 'koa'

import { LocalEventBus } from '../../packages/core/src/events/bus/bus.js'
import { Client } from './client.js'
import {
  databaseColumns,
  databaseColumnsOf,
  existingDatabase,
  reportSkippedColumns,
  type DatabaseColumn,
} from './databases.js'
import { FakeClock } from './fake-clock.js'
import { castOf, type Cast, type CastOptions } from './cast.js'
import { preparingAgain } from './preparing-again.js'

export type AdapterName = 'express' | 'koa'

/** Options in which a host differs from the usual one. */
export interface HostOptions extends Partial<AllServerOptions> {
  /** The application's own middleware before the chat, such as one that reads a session. */
  readonly front?: (request: IncomingMessage, response: ServerResponse) => unknown
}

/** An application that has mounted the chat: a real server on a real database. */
export class TestHost {
  readonly clock = new FakeClock()
  /** The warnings and errors that the server has logged. */
  readonly log: string[] = []
  chat!: ChatServer
  /** When the server was started, by its clock. */
  startedAtSeconds = 0
  origin = ''
  /** For a separate connection of the test. */
  databaseConfig!: Knex.Config
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 200 })
  #server!: Server
  #drop: (() => Promise<void>) | undefined
  readonly #others: TestHost[] = []
  #stopping: Promise<void> | undefined
  #nextBase = 100

  constructor(
    readonly adapter: AdapterName,
    readonly database: DatabaseColumn,
    private readonly options: HostOptions = {},
    /** Whether several groups of cases use it. */
    readonly isShared = false,
  ) {}

  async start(): Promise<void> {
    this.#stopping = undefined
    const { front, identify, resolveOrganization = organizationOf, ...options } = this.options
    const { config, drop } = await this.database.create({ mayHaveTables: true })
    this.#drop = drop
    this.databaseConfig = config
    const usual = {
      database: config,
      clock: this.clock,
      logger: this.#logger(),
      rateLimits: 'off',
      checkResponses: true,
      webPublicChannels: true,
      ...((options.mail ?? options.signOn) !== undefined && { baseUrl: () => this.origin }),
      ...options,
    } as const
    const isOnly = 'resolveOrganization' in this.options && !this.options.resolveOrganization
    const hooks = isOnly
      ? { ...(identify && { identify }) }
      : { resolveOrganization, ...(identify && { identify: inOrganization(identify) }) }
    // The clock of a test decides when a process reads what others have committed.
    const inProcess = this.database.name === 'postgres' && { bus: new LocalEventBus() }
    this.chat = createChatServer({ ...inProcess, ...usual, ...hooks, ...preparingAgain })
    this.startedAtSeconds = this.clock.seconds
    await this.chat.start()
    this.#server = createServer()
    mount(this.adapter, this.#server, this.chat, front)
    // A client that reuses an idle connection while it is closed would receive a reset.
    this.#server.keepAliveTimeout = 600_000
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Stops it, and the others on its database that a failed case has left. */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop())
  }

  async #stop(): Promise<void> {
    for (const other of this.#others) await other.stop()
    this.#agent.destroy()
    await this.chat.close()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    await this.#drop?.()
  }

  /**
   * Starts another server on the same database, at the same time of day. Stop it before this one.
   */
  async another(adapter: AdapterName, options: HostOptions = {}): Promise<TestHost> {
    const host = new TestHost(
      adapter,
      existingDatabase(this.database, this.databaseConfig),
      options,
    )
    host.clock.jump(this.clock.seconds - host.clock.seconds)
    await host.start()
    this.#others.push(host)
    return host
  }

  /** Loads a new organization with the usual users and channels. */
  async organization(options: CastOptions = {}): Promise<Cast> {
    const base = this.#nextBase
    // Some tests give people ids that are up to 20,000 higher, or fixed ones below 10,000,000.
    this.#nextBase = Math.max(base + 70_000, 10_000_000)
    const subdomain = `org-${randomUUID().slice(0, 8)}`
    const cast = castOf(base, subdomain, options, (credentials, id, name) =>
      this.client(subdomain, credentials, id, name),
    )
    await this.chat.organizations.load(cast.file)
    return cast
  }

  client(
    subdomain: string,
    credentials: { email: string; apiKey: string } | undefined,
    id: number,
    name: string,
  ): Client {
    const { basePath = '' } = this.options
    const endpoint = { origin: this.origin, basePath, agent: this.#agent, subdomain }
    return new Client(endpoint, credentials, id, name)
  }

  /** A user of another server on the same database, as a client of this one. */
  clientOf({ endpoint, credentials, id, name }: Client): Client {
    return this.client(endpoint.subdomain, credentials, id, name)
  }

  #logger(): Logger {
    const note = (message: string, fields?: Readonly<Record<string, unknown>>): void => {
      if (usualProblems.has(fields?.['problem'])) return
      this.log.push(`${message} ${inspectFields(fields)}`)
    }
    return { debug() {}, info() {}, warn: note, error: note }
  }
}

/** What a host lacks that is not in production, which it notes when it starts. */
const usualProblems = new Set<unknown>(['NO_SECRET', 'NO_BASE_URL'])

function inspectFields(fields: Readonly<Record<string, unknown>> | undefined): string {
  const err = fields?.['err']
  return err instanceof Error ? (err.stack ?? err.message) : JSON.stringify(fields ?? {})
}

function mount(
  adapter: AdapterName,
  server: Server,
  chat: ChatServer,
  front: HostOptions['front'] = () => {},
): void {
  if (adapter === 'express') {
    const app = express()
    // oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Express 5 passes rejections on
    app.use(async (request, response, next) => {
      await front(request, response)
      next()
    })
    app.use(inExpress.createChatMiddleware(chat))
    server.on('request', app)
    inExpress.attachChatUpgrade(server, chat, app)
    return
  }
  const app = new Koa()
  app.use(async ({ req, res }, next) => {
    await front(req, res)
    await next()
  })
  app.use(inKoa.createChatMiddleware(chat))
  const answer = app.callback()
  server.on('request', (request, response) => void answer(request, response))
  inKoa.attachChatUpgrade(server, chat, app)
}

function organizationOf({ headers }: IncomingMessage): string {
  return String(headers['x-organization'] ?? '')
}

/** An application whose sessions belong to the organization of the request. */
function inOrganization(identify: Identify): IdentifyInOrganization {
  return async (request, context) => {
    const identity = await identify(request, context)
    // Invalid identities are passed on, for the chat to reject.
    if (typeof identity !== 'object' || identity === null) return identity
    return { organization: organizationOf(request), ...identity }
  }
}

const adapters: readonly AdapterName[] = ['express', 'koa']
/** In a quick run, the adapter of all cases in this process. */
const onlyAdapter = adapters.find((name) => name === process.env.CHAT_TEST_ADAPTER)
const hosts = new Map<string, Promise<TestHost>>()

/** The hosts of this process: one per adapter and database, started when first needed. */
function sharedHost(adapter: AdapterName, database: DatabaseColumn): Promise<TestHost> {
  const key = `${adapter}/${database.name}`
  let starting = hosts.get(key)
  if (starting === undefined) {
    const host = new TestHost(adapter, database, {}, true)
    starting = host.start().then(() => host)
    hosts.set(key, starting)
  }
  return starting
}

async function startedHost(
  adapter: AdapterName,
  database: DatabaseColumn,
  options: HostOptions,
): Promise<TestHost> {
  const host = new TestHost(adapter, database, options)
  await host.start()
  return host
}

after(async () => {
  for (const starting of hosts.values()) await (await starting).stop()
})

/** A host with a separate organization for a group of cases. */
export interface HostCase extends Cast {
  readonly host: TestHost
  readonly clock: FakeClock
}

/**
 * The adapters on which a group of cases runs with a database: each group runs on every adapter and
 * on every database, but not on every pair of them, because adapter and database are connected by
 * the core only. `pnpm test --every-pair` runs all pairs.
 */
function adaptersFor(operationId: string, databaseIndex: number): readonly AdapterName[] {
  if (onlyAdapter !== undefined) return [onlyAdapter]
  if (process.env.CHAT_TEST_EVERY_PAIR === '1') return adapters
  const letters = [...operationId].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
  return adapters.filter((_, index) => index === (letters + databaseIndex) % adapters.length)
}

/**
 * Runs the cases of one operation on every database, with alternating adapters, each time in a new
 * organization with the usual users and channels.
 *
 * @param operationId as declared; every operation needs such a group.
 * @param hostOptions start a separate server for the group.
 */
export function everyHost(
  operationId: string,
  cases: (at: HostCase) => void,
  options: CastOptions = {},
  hostOptions?: HostOptions,
): void {
  reportSkippedColumns()
  for (const [index, database] of databaseColumnsOf(operationId).entries()) {
    for (const adapter of adaptersFor(operationId, index)) {
      describe(`${operationId} (${adapter}, ${database.title})`, () => {
        const at = {} as HostCase
        before(async () => {
          const host = await (hostOptions === undefined
            ? sharedHost(adapter, database)
            : startedHost(adapter, database, hostOptions))
          // Other groups may have used it before.
          host.log.length = 0
          host.clock.reachFullSecond()
          Object.assign(at, await host.organization(options), { host, clock: host.clock })
        })
        after(async () => {
          if (hostOptions !== undefined) await at.host.stop()
        })
        cases(at)
      })
    }
  }
}

/** As {@link everyHost}, on a server that no other group uses. */
export function everySeparateHost(
  operationId: string,
  cases: (at: HostCase) => void,
  options: CastOptions = {},
): void {
  everyHost(operationId, cases, options, {})
}

/**
 * Runs cases on every database, each time on a separate server with the usual organization: for
 * modules below HTTP, for which one adapter is enough.
 */
export function everyDatabase(
  title: string,
  adapter: AdapterName,
  cases: (at: HostCase) => void,
  hostOptions: HostOptions = {},
  options: CastOptions = {},
): void {
  reportSkippedColumns()
  for (const database of databaseColumns()) {
    describe(`${title} (${database.title})`, () => {
      const at = {} as HostCase
      before(async () => {
        const host = await startedHost(adapter, database, hostOptions)
        Object.assign(at, await host.organization(options), { host, clock: host.clock })
      })
      after(() => at.host.stop())
      cases(at)
    })
  }
}
