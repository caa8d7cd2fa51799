import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import type { InjectionToken } from 'tsyringe'

import { CallsUnderWay } from './calls-under-way.js'
import type { ChatHealth, ChatServer, SystemApi, UserApi, UserReference } from './chat-server.js'
import type { AnyChatEvent, ApplicationEvents } from './events/application-events.js'
import type { EventBus } from './events/bus.js'
import type { ChatEvents } from './events/event-types.generated.js'
import type { EventDelivery } from './events/delivery.js'
import type { ChatRequest, ChatResponse, FrameworkFacts } from './http/chat-request.js'
import type { OperationHooks } from './events/operation-hooks.js'
import { asLastAnswer } from './http/last-answer.js'
import type { HttpPipeline } from './http/pipeline.js'
import { answerFetch, type FetchOptions } from './node/index.js'
import { Background } from './kernel/background.js'
import type { BackgroundWork } from './kernel/periodic-task.js'
import type { ResolvedOptions } from './resolved-options.js'
import { ApiKeyResealing, SessionEnding } from './resources/access/authentication/index.js'
import { ExternalAccountDeactivation } from './resources/accounts/user-administration/index.js'
import {
  ExternalDirectory,
  UserSync,
  type OrganizationReference,
} from './resources/people/users/index.js'
import { PasswordHasher, type ServerSecret } from './resources/people/credentials/index.js'
import { EventSocketGate } from './resources/realtime/event-queues/index.js'
import {
  Consumers,
  type ChatConsumer,
  type ConsumerContext,
  type ConsumerHandler,
  type ConsumerOptions,
  type ConsumerState,
} from './resources/realtime/consumers/index.js'
import {
  ExternalContent,
  type ExternalContentAddresses,
} from './resources/files/external-content/index.js'
import { OrganizationLoader } from './resources/administration/import/index.js'
import {
  OrganizationCreation,
  OrganizationLifecycle,
} from './resources/administration/organization-lifecycle/index.js'
import { PushTokenService } from './resources/notifications/push-devices/index.js'
import { PushSetup } from './resources/notifications/push-relay/index.js'
import type { SocketUpgrade } from './socket-upgrade.js'
import { Migrator, UnitOfWork, type Database, type KnexTransaction } from './storage/index.js'
import { UserCalls, type CallRunner } from './user-calls.js'

/** The parts of a server, wired together, none of them started. */
export interface ChatServerParts {
  readonly migrations: ResolvedOptions['migrations']
  readonly database: Database
  readonly secret: ServerSecret
  readonly externalContent: ExternalContentAddresses
  readonly bus: EventBus
  readonly delivery: EventDelivery
  readonly pipeline: HttpPipeline
  readonly upgrade: SocketUpgrade
  readonly hooks: OperationHooks
  readonly events: ApplicationEvents
  readonly backgroundWork: readonly InjectionToken<BackgroundWork>[]
  /** Resolves the server's single instance of a service. */
  readonly resolve: <Service>(token: InjectionToken<Service>) => Service
}

/** The lifecycle of a server, from the first start to the last call that it waits for. */
export class ComposedChatServer implements ChatServer {
  readonly #parts: ChatServerParts
  #state: 'new' | 'starting' | 'started' | 'draining' | 'closed' = 'new'
  #preparing: Promise<void> | undefined
  #hasOldKeys = false
  #closing: Promise<void> | undefined
  readonly #calls = new CallsUnderWay()

  constructor(parts: ChatServerParts) {
    this.#parts = parts
  }

  async handle(request: ChatRequest): Promise<ChatResponse | undefined> {
    if (!this.#isRunning) return this.#parts.pipeline.refuse(request)
    const response = await this.#calls.track(this.#parts.pipeline.handle(request))
    return this.#state === 'started' ? response : asLastAnswer(request, response)
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

  on(name: '*', listener: (event: AnyChatEvent) => void): () => void
  on<Name extends keyof ChatEvents>(
    name: Name,
    listener: (event: ChatEvents[Name]) => void,
  ): () => void
  on(name: string, listener: (event: never) => void): () => void {
    return this.#parts.events.on(name, listener)
  }

  consume<Name extends keyof ChatEvents, Trx extends KnexTransaction = KnexTransaction>(
    name: string,
    options: ConsumerOptions<Name>,
    handler: (event: ChatEvents[Name], context: ConsumerContext<Trx>) => unknown,
  ): ChatConsumer {
    if (this.#closing !== undefined) throw new Error('The chat server is closed')
    // Only events of the named types are handled, and every transaction is one of Knex
    const handle = handler as unknown as ConsumerHandler
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

  readonly users: ChatServer['users'] = {
    sync: async (users, options) =>
      this.#run(() => this.#parts.resolve(UserSync).sync(users, options)),
    find: async (externalId, options) => this.#running(ExternalDirectory).find(externalId, options),
    idOf: async (externalIds, options) =>
      this.#running(ExternalDirectory).idOf(externalIds, options),
    externalIdOf: async (ids, options) =>
      this.#running(ExternalDirectory).externalIdOf(ids, options),
    endSessions: async (externalId, options) =>
      this.#running(SessionEnding).end(externalId, options),
    deactivate: async (externalId, options) =>
      this.#running(ExternalAccountDeactivation).deactivate(externalId, options),
    reactivate: async (externalId, options) =>
      this.#running(ExternalAccountDeactivation).reactivate(externalId, options),
  }

  readonly channels: ChatServer['channels'] = {
    ensure: async (channel, options) =>
      this.#run(() => this.#parts.resolve(UserCalls).ensureChannel(channel, options)),
    find: async (externalId, options) => this.#running(UserCalls).findChannel(externalId, options),
  }

  readonly organizations: ChatServer['organizations'] = {
    load: async (file) => this.#running(OrganizationLoader).load(file),
    create: async (organization) => this.#running(OrganizationCreation).create(organization),
    deactivate: async (subdomain) => this.#running(OrganizationLifecycle).deactivate(subdomain),
    reactivate: async (subdomain) => this.#running(OrganizationLifecycle).reactivate(subdomain),
  }

  async migrate(): Promise<void> {
    await new Migrator(this.#parts.database).migrate()
  }

  migrationSql(): string {
    return new Migrator(this.#parts.database).sql()
  }

  async start(): Promise<void> {
    if (this.#state === 'closed' || this.#closing !== undefined) {
      throw new Error('The chat server is closed; make a new one')
    }
    if (this.#state !== 'new') throw new Error('The chat server was started already')
    this.#state = 'starting'
    this.#preparing = this.#prepare()
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
    let database: ChatHealth['database'] = 'up'
    let oldSecretsInUse: readonly string[] | undefined
    let consumers: Readonly<Record<string, ConsumerState>> | undefined
    try {
      await this.#parts.database.ping()
      if (this.#isRunning) {
        oldSecretsInUse = await this.#parts.secret.listOthersInUse()
        consumers = await this.#parts.resolve(Consumers).states()
      }
    } catch {
      database = 'down'
    }
    return {
      isReady: this.#state === 'started' && database === 'up',
      database,
      openQueues: this.#parts.delivery.queueCount,
      ...(oldSecretsInUse !== undefined && { oldSecretsInUse }),
      ...(consumers !== undefined && { consumers }),
    }
  }

  get #isRunning(): boolean {
    return this.#state === 'started' || this.#state === 'draining'
  }

  /**
   * Resolves a service for the application's own code. @throws {Error} before `start()` and after
   * `close()`.
   */
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

  /** Prepares what the other parts require. */
  async #prepare(): Promise<void> {
    this.#parts.database.requireOneLibrary()
    if (this.#parts.migrations === 'auto') await this.migrate()
    if (this.#parts.migrations === 'check') await new Migrator(this.#parts.database).check()
    this.#hasOldKeys = await this.#parts.secret.load()
    await this.#parts.externalContent.load()
    await this.#parts.resolve(PasswordHasher).prepare()
    await this.#parts.resolve(Consumers).create()
  }

  async #close(): Promise<void> {
    if (this.#isRunning) this.#state = 'draining'
    else this.#state = 'closed'
    // The caller of `start()` receives the failure, and the error that the server is closed.
    await this.#preparing?.catch(() => {})
    this.#parts.delivery.drain()
    this.#parts.resolve(PushSetup).close()
    this.#parts.resolve(ExternalContent).close()
    // Requests that arrive meanwhile on open connections are answered too.
    await Promise.all([this.#calls.idle(), this.#parts.resolve(EventSocketGate).close()])
    this.#state = 'closed'
    this.#parts.delivery.close()
    await this.#parts.resolve(Consumers).stop()
    await this.#parts.resolve(Background).stop()
    await this.#parts.resolve(PushTokenService).idle()
    await this.#parts.resolve(UnitOfWork).idle()
    await this.#parts.events.idle()
    this.#parts.events.close()
    this.#parts.hooks.close()
    try {
      // The bus may be the application's own, and may fail.
      await this.#parts.bus.close()
    } finally {
      await this.#parts.database.close()
    }
  }
}
