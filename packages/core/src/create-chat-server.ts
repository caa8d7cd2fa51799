import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import { container as rootContainer, type DependencyContainer, type InjectionToken } from 'tsyringe'

import type { ChatHealth, ChatServer, UserApi, UserReference } from './chat-server.js'
import {
  ApplicationHooks,
  type ChatEvents,
  type ChatHook,
  type ChatHooks,
} from './events/application-hooks.js'
import { EventBusToken, LocalEventBus, type EventBus } from './events/bus.js'
import { EventDelivery } from './events/delivery.js'
import { EventCatalogue } from './events/event-catalogue.js'
import type { ChatRequest, ChatResponse } from './http/chat-request.js'
import { HostHooksToken } from './http/host-identity.js'
import { openApiDocument } from './http/openapi.js'
import { HttpPipeline } from './http/pipeline.js'
import { AuthenticatorToken, OrganizationResolverToken, SpectatorGateToken } from './http/ports.js'
import { RateLimiter } from './http/rate-limiter.js'
import { Background } from './kernel/background.js'
import type { BackgroundWork } from './kernel/periodic-task.js'
import { ServerFactsToken } from './kernel/server-facts.js'
import { nowSeconds } from './kernel/clock.js'
import { ClockToken, LoggerToken } from './kernel/tokens.js'
import { resolveOptions, type ChatServerOptions, type ResolvedOptions } from './options.js'
import { AttachmentUpkeep } from './resources/attachments/index.js'
import {
  PasswordAuthenticatorsToken,
  RequestAuthenticator,
  RequestOrganizationResolver,
} from './resources/authentication/index.js'
import {
  PasswordHasher,
  ServerSecret,
  ServerSecretRepository,
  ServerSecretToken,
} from './resources/credentials/index.js'
import { DescribeApiToken, eventComponents } from './resources/api-description/index.js'
import { EventSocketGate, EventUpkeep, QueueEndStepsToken } from './resources/event-queues/index.js'
import {
  allAccountSteps,
  allEvents,
  allGroupChangeSteps,
  allMembershipSteps,
  allMessageDecorations,
  allMessageEditSteps,
  allMessageSentSteps,
  allNewcomerSteps,
  allOperations,
  allQueueEndSteps,
  allSnapshotSections,
  profileValues,
} from './resources/index.js'
import { DatabaseStorage, FileStorageToken } from './resources/file-storage/index.js'
import {
  OrganizationLoader,
  SectionLoadersToken,
  type LoadedOrganization,
  type SectionLoaders,
} from './resources/organization-file/index.js'
import { MessageEditStepsToken } from './resources/message-editing/index.js'
import { MessageRetention } from './resources/message-retention/index.js'
import { MessageDecorationsToken, MessageSentStepsToken } from './resources/messages/index.js'
import {
  AccountStepsToken,
  NewcomerStepsToken,
  ProfileValuesToken,
} from './resources/users/index.js'
import {
  OrganizationCreation,
  OrganizationLifecycle,
  type CreatedOrganization,
  type NewOrganization,
} from './resources/organization-lifecycle/index.js'
import { Registration } from './resources/register/index.js'
import { ReminderDelivery } from './resources/reminders/index.js'
import { FullMemberRounds } from './resources/role-groups/index.js'
import { ScheduledMessageDelivery } from './resources/scheduled-messages/index.js'
import {
  OutgoingWebhookDelivery,
  OutgoingWebhookRulesToken,
} from './resources/outgoing-webhooks/index.js'
import { PushRegistrations, PushTokenService } from './resources/push-devices/index.js'
import { MailSenderToken } from './resources/mail/index.js'
import { PushDelivery } from './resources/push-notifications/index.js'
import { PushRelayToken, PushSetup } from './resources/push-relay/index.js'
import { Spectators } from './resources/spectators/index.js'
import { SignOnToken } from './resources/single-sign-on/index.js'
import { SnapshotSectionsToken } from './resources/snapshot/index.js'
import { GroupChangeStepsToken, MembershipStepsToken } from './resources/user-groups/index.js'
import { Database, EventLogReader, Migrator, UnitOfWork } from './storage/index.js'
import { CallsUnderWay } from './calls-under-way.js'
import { SocketUpgrade } from './socket-upgrade.js'
import { UserCalls } from './user-calls.js'

/** What goes on while the server runs, whether or not there are requests. */
const backgroundWork: readonly InjectionToken<BackgroundWork>[] = [
  EventUpkeep,
  PushRegistrations,
  PushDelivery,
  ScheduledMessageDelivery,
  ReminderDelivery,
  AttachmentUpkeep,
  FullMemberRounds,
  MessageRetention,
  OutgoingWebhookDelivery,
]

/**
 * Makes a chat server inside an application. It opens nothing until `start()`, and leaves nothing
 * behind after `close()`.
 *
 * @throws {TypeError} naming every wrong or unknown option.
 */
export function createChatServer(options: ChatServerOptions): ChatServer {
  return new ContainedChatServer(options)
}

class ContainedChatServer implements ChatServer {
  readonly #options: ResolvedOptions
  readonly #database: Database
  readonly #bus: EventBus
  readonly #delivery: EventDelivery
  readonly #secret: ServerSecret
  readonly #container: DependencyContainer
  readonly #pipeline: HttpPipeline
  readonly #upgrade: SocketUpgrade
  readonly #hooks: ApplicationHooks
  #state: 'new' | 'starting' | 'started' | 'draining' | 'closed' = 'new'
  #preparing: Promise<void> | undefined
  #closing: Promise<void> | undefined
  readonly #calls = new CallsUnderWay()

  constructor(options: ChatServerOptions) {
    const resolved = resolveOptions(options)
    const { clock, logger } = resolved
    this.#options = resolved
    this.#database = new Database(options.database, resolved.tablePrefix)
    this.#bus = options.bus ?? new LocalEventBus()
    this.#hooks = new ApplicationHooks(logger)
    const unitOfWork = new UnitOfWork(this.#database, this.#bus, clock, logger, {
      onCommit: (organizationId, records) => this.#hooks.report(organizationId, records),
      // 0 says that there is no other process.
      ...(resolved.logPollMilliseconds > 0 && {
        catchUp: (organizationId: number, seq: number) =>
          this.#delivery.catchUp(organizationId, seq),
      }),
    })
    this.#delivery = new EventDelivery(
      new EventLogReader(this.#database, unitOfWork),
      new EventCatalogue(allEvents),
      this.#bus,
      clock,
      logger,
      { logPollMilliseconds: resolved.logPollMilliseconds },
    )
    this.#secret = new ServerSecret(new ServerSecretRepository(this.#database), resolved.secret)
    const rateLimiter = new RateLimiter(clock, resolved.rateLimits)

    this.#container = rootContainer.createChildContainer()
    this.#container.register(ClockToken, { useValue: clock })
    this.#container.register(LoggerToken, { useValue: logger })
    this.#container.register(EventBusToken, { useValue: this.#bus })
    this.#container.register(Database, { useValue: this.#database })
    this.#container.register(UnitOfWork, { useValue: unitOfWork })
    this.#container.register(EventDelivery, { useValue: this.#delivery })
    this.#container.register(RateLimiter, { useValue: rateLimiter })
    this.#container.register(ApplicationHooks, { useValue: this.#hooks })
    this.#container.register(ServerSecretToken, { useValue: this.#secret })
    this.#container.register(PasswordHasher, { useValue: new PasswordHasher() })
    this.#registerOptions(resolved)
    this.#registerNouns()

    this.#pipeline = new HttpPipeline({
      operations: allOperations,
      resolve: (token) => this.#container.resolve(token),
      organizations: this.#container.resolve(OrganizationResolverToken),
      authenticator: this.#container.resolve(AuthenticatorToken),
      spectators: this.#container.resolve(SpectatorGateToken),
      rateLimiter,
      logger,
      isDatabaseUnavailable: (error) => this.#database.dialect.isUnavailable(error),
      options: { maxFormBytes: resolved.maxFormBytes, checkResponses: resolved.checkResponses },
    })
    this.#upgrade = new SocketUpgrade(this.#pipeline, this.#container.resolve(EventSocketGate))
  }

  /** What the application has chosen, and what stands for what it has not. */
  #registerOptions(resolved: ResolvedOptions): void {
    this.#container.register(HostHooksToken, { useValue: resolved })
    this.#container.register(ServerFactsToken, {
      useValue: { ...resolved, startedAtSeconds: nowSeconds(resolved.clock) },
    })
    if (resolved.files === undefined) {
      this.#container.register(FileStorageToken, { useToken: DatabaseStorage })
    } else this.#container.register(FileStorageToken, { useValue: resolved.files })
    this.#container.register(MailSenderToken, { useValue: { sender: resolved.mail } })
    this.#container.register(OutgoingWebhookRulesToken, { useValue: resolved.outgoingWebhooks })
    this.#container.register(SignOnToken, { useValue: resolved })
    this.#container.register(PushRelayToken, { useValue: { relay: resolved.pushRelay } })
    this.#container.register(PasswordAuthenticatorsToken, {
      useValue: resolved.passwordAuthenticators,
    })
  }

  /** What the rooms, and the nouns that others build upon, know by its token alone. */
  #registerNouns(): void {
    this.#container.register(OrganizationResolverToken, { useToken: RequestOrganizationResolver })
    this.#container.register(AuthenticatorToken, { useToken: RequestAuthenticator })
    this.#container.register(SpectatorGateToken, { useToken: Spectators })
    this.#container.register(DescribeApiToken, {
      useValue: (origin) =>
        openApiDocument(allOperations, {
          origin,
          title: 'Parley',
          components: { ...eventComponents(allEvents), Registration },
        }),
    })
    this.#container.register(ProfileValuesToken, {
      useValue: () => this.#container.resolve(profileValues),
    })
    this.#registerParts(MessageDecorationsToken, allMessageDecorations)
    this.#registerParts(MessageSentStepsToken, allMessageSentSteps)
    this.#registerParts(MessageEditStepsToken, allMessageEditSteps)
    this.#registerParts(QueueEndStepsToken, allQueueEndSteps)
    this.#registerParts(AccountStepsToken, allAccountSteps)
    this.#container.register<SectionLoaders>(SectionLoadersToken, {
      useValue: (loader) => this.#container.resolve(loader),
    })
    this.#registerParts(NewcomerStepsToken, allNewcomerSteps)
    this.#registerParts(GroupChangeStepsToken, allGroupChangeSteps)
    this.#registerParts(MembershipStepsToken, allMembershipSteps)
    this.#container.register(SnapshotSectionsToken, {
      useValue: allSnapshotSections.map((section) => this.#container.resolve(section)),
    })
  }

  /** Made when they are asked for: they need what is registered after them. */
  #registerParts<Part>(
    token: InjectionToken<() => readonly Part[]>,
    parts: readonly InjectionToken<Part>[],
  ): void {
    this.#container.register(token, {
      useValue: () => parts.map((part) => this.#container.resolve(part)),
    })
  }

  async handle(request: ChatRequest): Promise<ChatResponse | undefined> {
    if (!this.#isRunning) return this.#pipeline.refuse(request)
    return this.#calls.track(this.#pipeline.handle(request))
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    return this.#isRunning && this.#upgrade.handle(request, socket, head)
  }

  async as(user: UserReference): Promise<UserApi> {
    return this.#running(UserCalls).as(user)
  }

  on<Name extends keyof ChatEvents>(
    name: Name,
    listener: (event: ChatEvents[Name]) => void,
  ): () => void {
    return this.#hooks.on(name, listener)
  }

  before<Name extends keyof ChatHooks>(name: Name, hook: ChatHook<Name>): () => void {
    return this.#hooks.before(name, hook)
  }

  readonly organizations = {
    load: async (file: unknown): Promise<LoadedOrganization> =>
      this.#running(OrganizationLoader).load(file),
    create: async (organization: NewOrganization): Promise<CreatedOrganization> =>
      this.#running(OrganizationCreation).create(organization),
    deactivate: async (subdomain: string): Promise<void> =>
      this.#running(OrganizationLifecycle).deactivate(subdomain),
    reactivate: async (subdomain: string): Promise<void> =>
      this.#running(OrganizationLifecycle).reactivate(subdomain),
  }

  async migrate(): Promise<void> {
    await new Migrator(this.#database).migrate()
  }

  migrationSql(): string {
    return new Migrator(this.#database).sql()
  }

  async start(): Promise<void> {
    if (this.#state === 'closed') throw new Error('The chat server is closed; make a new one')
    if (this.#state !== 'new') throw new Error('The chat server was started already')
    this.#state = 'starting'
    this.#preparing = this.#prepare()
    try {
      await this.#preparing
    } catch (error) {
      // The next attempt may find the database in order.
      if (this.#closing === undefined) this.#state = 'new'
      throw error
    }
    if (this.#closing !== undefined) throw new Error('The chat server was closed while it started')
    this.#delivery.start()
    const work = backgroundWork.map((token) => this.#container.resolve(token))
    this.#container.resolve(Background).start(work)
    this.#state = 'started'
  }

  async drain(): Promise<void> {
    if (this.#state === 'started') this.#state = 'draining'
    this.#delivery.drain()
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close()
    await this.#closing
  }

  async health(): Promise<ChatHealth> {
    let database: ChatHealth['database'] = 'up'
    try {
      await this.#database.ping()
    } catch {
      database = 'down'
    }
    return {
      isReady: this.#state === 'started' && database === 'up',
      database,
      openQueues: this.#delivery.queueCount,
    }
  }

  get #isRunning(): boolean {
    return this.#state === 'started' || this.#state === 'draining'
  }

  /** A service for the application's own code. @throws {Error} before `start()` and after `close()`. */
  #running<Service>(token: InjectionToken<Service>): Service {
    if (this.#isRunning) return this.#container.resolve(token)
    throw new Error(
      this.#state === 'closed' ? 'The chat server is closed' : 'The chat server is not started yet',
    )
  }

  /** What the rest of the server counts on. */
  async #prepare(): Promise<void> {
    if (this.#options.migrations === 'auto') await this.migrate()
    if (this.#options.migrations === 'check') await new Migrator(this.#database).check()
    await this.#secret.load()
  }

  async #close(): Promise<void> {
    this.#state = 'closed'
    // Whoever started the server hears of a failure, and that it is closed now.
    await this.#preparing?.catch(() => {})
    this.#delivery.close()
    this.#container.resolve(PushSetup).close()
    await Promise.all([this.#calls.idle(), this.#container.resolve(EventSocketGate).close()])
    await this.#container.resolve(Background).stop()
    await this.#container.resolve(PushTokenService).idle()
    await this.#container.resolve(UnitOfWork).idle()
    this.#hooks.close()
    try {
      // Perhaps the application's own, which may fail.
      await this.#bus.close()
    } finally {
      await this.#database.close()
    }
  }
}
