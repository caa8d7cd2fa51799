import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import type { InjectionToken } from 'tsyringe'

import type { ListenedEvents } from '../events/application/application-events.js'
import type { ChatRequest, ChatResponse, FrameworkFacts } from '../http/chat-request.js'
import { requireUserLimit } from '../http/limits/counted-limits.js'
import { RateLimiter } from '../http/limits/rate-limiter.js'
import { asLastAnswer } from '../http/replies/last-answer.js'
import { Background } from '../kernel/background.js'
import type { SetupProblem } from '../kernel/setup-problems.js'
import { answerFetch, type FetchOptions } from '../node/index.js'
import { ApiKeyResealing } from '../resources/access/authentication/index.js'
import { migrations } from '../resources/tables.js'
import { OrganizationExport } from '../resources/administration/organization-archive/index.js'
import { ExternalContent } from '../resources/files/external-content/index.js'
import { IncomingMail } from '../resources/notifications/incoming-mail/index.js'
import { PushTokenService } from '../resources/notifications/push-devices/index.js'
import { PushSetup } from '../resources/notifications/push-relay/index.js'
import { PasswordHasher } from '../resources/people/credentials/index.js'
import type { OrganizationReference } from '../resources/people/users/index.js'
import {
  Consumers,
  type AnyConsumerOptions,
  type ConsumerHandler,
} from '../resources/realtime/consumers/index.js'
import { EventQueueRepository, EventSocketGate } from '../resources/realtime/event-queues/index.js'
import { Migrator, UnitOfWork, withRemedy, WriteProbe } from '../storage/index.js'
import {
  auditEntries,
  resourceCalls,
  userAdministration,
  type ServerCalls,
} from './administration-calls.js'
import { CallsUnderWay } from './calls-under-way.js'
import type { ChatHealth, ChatServer, SystemApi, UserApi, UserReference } from './chat-server.js'
import type { ChatServerParts } from './composed-parts.js'
import { ServerDiagnosis } from './server-diagnosis.js'
import { ServerHealth } from './server-health.js'
import { ServerMetrics } from './server-metrics.js'
import { UserCalls, type CallRunner } from './user-calls.js'

/** The lifecycle of a server, from the first start to the last call that it waits for. */
export class ComposedChatServer implements ChatServer {
  readonly #parts: ChatServerParts
  readonly #migrator: Migrator
  #state: ChatHealth['state'] = 'new'
  #preparing: Promise<void> | undefined
  #hasOldKeys = false
  #closing: Promise<void> | undefined
  readonly #calls = new CallsUnderWay()
  readonly #serverCalls: ServerCalls = {
    run: async (call) => this.#run(call),
    resolve: (token) => this.#parts.resolve(token),
  }

  constructor(parts: ChatServerParts) {
    this.#parts = parts
    this.#migrator = new Migrator(parts.database, migrations)
  }

  async handle(request: ChatRequest): Promise<ChatResponse | undefined> {
    if (!this.#isRunning) return this.#parts.pipeline.refuse(request, this.#state === 'new')
    this.#calls.begin()
    try {
      const response = await this.#parts.pipeline.handle(request)
      return this.#state === 'started' ? response : asLastAnswer(request, response)
    } finally {
      this.#calls.end()
    }
  }

  handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    framework?: FrameworkFacts,
  ): boolean {
    return this.#isRunning && this.#parts.upgrade.handle(request, socket, head, framework)
  }

  async fetch(request: Request, options?: FetchOptions): Promise<Response> {
    return answerFetch(this, request, options)
  }

  as(user: UserReference): UserApi {
    return this.#parts.resolve(UserCalls).as(user, this.#run)
  }

  asSystem(organization: OrganizationReference = {}): SystemApi {
    return this.#parts.resolve(UserCalls).asSystem(organization, this.#run)
  }

  on<Name extends keyof ListenedEvents>(
    name: Name,
    listener: (event: ListenedEvents[Name]) => void,
  ): () => void
  on(name: string, listener: (event: never) => void): () => void {
    return this.#parts.events.on(name, listener)
  }

  readonly consume: ChatServer['consume'] = (
    name: string,
    options: AnyConsumerOptions,
    handler: (event: never, context: never) => unknown,
  ) => {
    if (this.#closing !== undefined) throw new Error('The chat server is closed')
    // Only events of the named types are handled, and every transaction is one of Knex
    const handle = handler as ConsumerHandler
    return this.#parts.resolve(Consumers).consume(name, options, handle)
  }

  readonly consumers: ChatServer['consumers'] = {
    listParked: async (name) => this.#running(Consumers).listParked(name),
    retry: async (name) => this.#running(Consumers).retry(name),
    remove: async (name) => this.#running(Consumers).remove(name),
  }

  before(name: string, hook: (call: never) => unknown): () => void {
    return this.#parts.hooks.add('before', name, hook)
  }

  after(name: string, hook: (call: never) => unknown): () => void {
    return this.#parts.hooks.add('after', name, hook)
  }

  readonly users = userAdministration(this.#serverCalls)

  readonly #resources = resourceCalls(this.#serverCalls)
  readonly channels = this.#resources.channels
  readonly invitations = this.#resources.invitations
  readonly organizations = this.#resources.organizations

  readonly receiveMail: ChatServer['receiveMail'] = async (raw, envelope = {}) =>
    this.#run(() =>
      this.#parts
        .resolve(IncomingMail)
        .receive(raw, envelope, (organizationId, user) =>
          requireUserLimit(
            this.#parts.resolve(RateLimiter),
            'incomingMailByUser',
            organizationId,
            user,
          ),
        ),
    )

  readonly audit: ChatServer['audit'] = (options) => auditEntries(this.#serverCalls, options)

  async migrate(): Promise<void> {
    await this.#withRemedy(() => this.#migrator.migrate())
  }

  readonly pendingMigrations = async () => this.#migrator.pending()

  migrationSql(): string {
    return this.#migrator.sql()
  }

  async endQueues(): Promise<void> {
    if (this.#state !== 'new') throw new Error('Event queues can be ended before start() only')
    const { database } = this.#parts
    database.requireOneLibrary()
    await this.#withRemedy(() => this.#parts.resolve(EventQueueRepository).deleteAll(database))
  }

  async start(): Promise<void> {
    if (this.#state === 'closed' || this.#closing !== undefined) {
      throw new Error('The chat server is closed; make a new one')
    }
    if (this.#state !== 'new') throw new Error('The chat server was started already')
    this.#state = 'starting'
    this.#preparing = this.#withRemedy(() => this.#prepare())
    try {
      await this.#preparing
    } catch (error) {
      // Allows another attempt: the database may be available by then.
      if (this.#closing === undefined) this.#state = 'new'
      throw error
    }
    if (this.#closing !== undefined) throw new Error('The chat server was closed while it started')
    this.#parts.delivery.logs.start()
    this.#parts.resolve(Consumers).start()
    const work = this.#parts.backgroundWork.map((token) => this.#parts.resolve(token))
    const background = this.#parts.resolve(Background)
    background.start(work)
    background.wake(this.#parts.resolve(ServerMetrics))
    if (this.#hasOldKeys) background.wake(this.#parts.resolve(ApiKeyResealing))
    this.#state = 'started'
  }

  async drain(): Promise<void> {
    if (this.#state === 'started') this.#state = 'draining'
    this.#parts.delivery.drain()
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close()
    await this.#closing
  }

  async health(): Promise<ChatHealth> {
    return this.#parts.resolve(ServerHealth).read(this.#state, this.#parts.bus)
  }

  async diagnose(): Promise<readonly SetupProblem[]> {
    this.#requireRunning()
    return this.#parts.resolve(ServerDiagnosis).read()
  }

  get #isRunning(): boolean {
    return this.#state === 'started' || this.#state === 'draining'
  }

  /** Resolves a service for the application's own code. @throws {Error} unless it is running. */
  #running<Service>(token: InjectionToken<Service>): Service {
    this.#requireRunning()
    return this.#parts.resolve(token)
  }

  #requireRunning(): void {
    if (this.#isRunning) return
    throw new Error(
      this.#state === 'closed' ? 'The chat server is closed' : 'The chat server is not started yet',
    )
  }

  /** Runs a call of the application's own code, which closing waits for. */
  readonly #run: CallRunner = async (call) => {
    this.#requireRunning()
    return this.#calls.track(call())
  }

  /** @throws the error of `work`, with the remedy if the database cannot be used. */
  async #withRemedy(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      throw withRemedy(this.#parts.database, error)
    }
  }

  /** Prepares the parts that the others require. */
  async #prepare(): Promise<void> {
    const { database } = this.#parts
    database.requireOneLibrary()
    await database.connect()
    await database.requireFeatures()
    if (this.#parts.migrations === 'auto') await this.migrate()
    if (this.#parts.migrations === 'check') await this.#migrator.check()
    await this.#parts.resolve(WriteProbe).require()
    this.#hasOldKeys = await this.#parts.secret.load()
    await this.#parts.dataKey.load()
    await this.#parts.resolve(PasswordHasher).prepare()
    await this.#parts.resolve(IncomingMail).prepare()
    await this.#parts.resolve(Consumers).create()
    const databaseId = await this.#parts.databaseId()
    await this.#parts.bus.connect?.(databaseId, {
      key: this.#parts.dataKey.keyOf('bus'),
      refuse: (reason) => this.#parts.busRefusals.note(reason),
    })
    await this.#parts.resolve(RateLimiter).connect(databaseId)
    await this.#parts.resolve(ServerDiagnosis).check()
  }

  async #close(): Promise<void> {
    this.#state = this.#isRunning ? 'draining' : 'closed'
    // The caller of `start()` receives the failure, and the error that the server is closed.
    await this.#preparing?.catch(() => {})
    this.#parts.delivery.drain()
    for (const part of [PushSetup, OrganizationExport, ExternalContent]) {
      this.#parts.resolve<{ close(): void }>(part).close()
    }
    // Requests that arrive meanwhile on open connections are answered too.
    await Promise.all([this.#calls.idle(), this.#parts.resolve(EventSocketGate).close()])
    this.#state = 'closed'
    this.#parts.ephemerals.close()
    this.#parts.delivery.close()
    await this.#parts.resolve(Consumers).stop()
    await this.#parts.resolve(Background).stop()
    await this.#parts.resolve(PushTokenService).idle()
    await this.#parts.resolve(UnitOfWork).idle()
    await this.#parts.events.idle()
    this.#parts.events.close()
    this.#parts.hooks.close()
    // The bus and the store of rate limits may be the application's own, and may fail.
    try {
      await this.#parts.bus.close()
    } finally {
      try {
        await this.#parts.resolve(RateLimiter).close()
      } finally {
        await this.#parts.database.close()
      }
    }
  }
}
