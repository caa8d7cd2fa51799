import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import type { InjectionToken } from 'tsyringe'

import { organizationCalls, personalDataCalls, type ServerCalls } from './administration-calls.js'
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
  type AnyConsumerOptions,
  type ConsumerHandler,
} from './resources/realtime/consumers/index.js'
import { SearchIndex } from './resources/messages/search-index/index.js'
import {
  ExternalContent,
  type ExternalContentAddresses,
} from './resources/files/external-content/index.js'
import { PushTokenService } from './resources/notifications/push-devices/index.js'
import { PushSetup } from './resources/notifications/push-relay/index.js'
import type { SocketUpgrade } from './socket-upgrade.js'
import { Migrator, UnitOfWork, type Database } from './storage/index.js'
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
  readonly #serverCalls: ServerCalls = {
    run: async (call) => this.#run(call),
    resolve: (token) => this.#parts.resolve(token),
  }

  constructor(parts: ChatServerParts) {
    this.#parts = parts
  }

  async handle(request: ChatRequest): Promise<ChatResponse | undefined> {
    if (!this.#isRunning) return this.#parts.pipeline.refuse(request)
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

  on(name: '*', listener: (event: AnyChatEvent) => void): () => void
  on<Name extends keyof ChatEvents>(
    name: Name,
    listener: (event: ChatEvents[Name]) => void,
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

  readonly users: ChatServer['users'] = {
    sync: async (users, options) =>
      this.#run(() => this.#parts.resolve(UserSync).sync(users, options)),
    find: async (externalId, options) => this.#running(ExternalDirectory).find(externalId, options),
    idOf: async (externalIds, options) =>
      this.#running(ExternalDirectory).idOf(externalIds, options),
    externalIdOf: async (ids, options) =>
      this.#running(ExternalDirectory).externalIdOf(ids, options),
    endSessions: async (user, options) => this.#running(SessionEnding).end(user, options),
    deactivate: async (user, options) =>
      this.#running(ExternalAccountDeactivation).deactivate(user, options),
    reactivate: async (user, options) =>
      this.#running(ExternalAccountDeactivation).reactivate(user, options),
    ...personalDataCalls(this.#serverCalls),
  }

  readonly channels: ChatServer['channels'] = {
    ensure: async (channel, options) =>
      this.#run(() => this.#parts.resolve(UserCalls).ensureChannel(channel, options)),
    find: async (externalId, options) => this.#running(UserCalls).findChannel(externalId, options),
  }

  readonly organizations = organizationCalls(this.#serverCalls)

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
    let states: Pick<ChatHealth, 'oldSecretsInUse' | 'consumers' | 'searchIndex'> = {}
    try {
      await this.#parts.database.ping()
      if (this.#isRunning) {
        states = {
          oldSecretsInUse: await this.#parts.secret.listOthersInUse(),
          consumers: await this.#parts.resolve(Consumers).states(),
          searchIndex: await this.#parts.resolve(SearchIndex).state(),
        }
      }
    } catch {
      database = 'down'
    }
    return {
      isReady: this.#state === 'started' && database === 'up',
      database,
      openQueues: this.#parts.delivery.queueCount,
      ...states,
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
    const { database } = this.#parts
    database.requireOneLibrary()
    await database.dialect.requireFeatures(database.reader)
    if (this.#parts.migrations === 'auto') await this.migrate()
    if (this.#parts.migrations === 'check') await new Migrator(database).check()
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
