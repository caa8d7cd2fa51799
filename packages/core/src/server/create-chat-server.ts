import { container as rootContainer, type DependencyContainer, type InjectionToken } from 'tsyringe'

import { ApplicationEvents } from '../events/application/application-events.js'
import { OperationHooks } from '../events/application/operation-hooks.js'
import { BusRefusals } from '../events/bus/bus-refusals.js'
import { BrokerBus } from '../events/bus/broker-bus.js'
import { EventBusToken, LocalEventBus, type EventBus } from '../events/bus/bus.js'
import { EphemeralEvents } from '../events/bus/ephemeral-events.js'
import { EventDelivery } from '../events/delivery.js'
import { EventCatalogue } from '../events/event-catalogue.js'
import { FollowedLogs } from '../events/log/followed-logs.js'
import { LogSecrets } from '../events/log/log-secrets.js'
import { ApplicationCalls } from '../http/calls/application-calls.js'
import { RateLimiter } from '../http/limits/rate-limiter.js'
import { SchemaCompiler } from '../http/parameters/schema-compiler.js'
import { HttpPipeline } from '../http/pipeline/pipeline.js'
import { AuthenticatorToken, OrganizationResolverToken, SpectatorGateToken } from '../http/ports.js'
import type { BackgroundWork } from '../kernel/periodic-task.js'
import { randomToken } from '../kernel/random.js'
import { SetupProblems } from '../kernel/setup-problems.js'
import { Telemetry } from '../kernel/telemetry/telemetry.js'
import { ClockToken, LoggerToken } from '../kernel/tokens.js'
import { sectionStore, SectionStoresToken } from '../resource-definition/section-store.js'
import { snapshotLoader, SnapshotLoadersToken } from '../resource-definition/snapshot.js'
import {
  CallerCheck,
  CallerLanguages,
  RequestAuthenticator,
  RequestOrganizationResolver,
} from '../resources/access/authentication/index.js'
import { Spectators } from '../resources/access/spectators/index.js'
import { DescribeApiToken } from '../resources/administration/api-description/index.js'
import { OrganizationFileFormat } from '../resources/administration/import/index.js'
import { DescriptionRendererToken } from '../resources/channels/channels/index.js'
import { UnwrittenMessages } from '../resources/channels/unwritten-messages/index.js'
import { messageSent } from '../resources/messages/sending/index.js'
import { MessageRenderer } from '../resources/content/rendering/index.js'
import { ExternalContentAddresses } from '../resources/files/external-content/index.js'
import {
  allEvents,
  allFileSections,
  allOperations,
  allSnapshots,
  hooks,
  resources,
} from '../resources/index.js'
import {
  PasswordHasher,
  DataKey,
  SealedKeyRepository,
  ServerSecret,
  ServerSecretRepository,
  ServerSecretToken,
} from '../resources/people/credentials/index.js'
import { EventSocketGate } from '../resources/realtime/event-queues/index.js'
import { Webhooks } from '../resources/realtime/webhooks/index.js'
import {
  Database,
  EventLogReader,
  LibraryWatch,
  unavailabilityOf,
  UnitOfWork,
  type KnexClient,
} from '../storage/index.js'
import { Translator } from '../texts/index.js'
import type { ChatServerOptions } from './chat-server-options.js'
import type { ChatServer } from './chat-server.js'
import { ComposedChatServer } from './composed-chat-server.js'
import type { ChatServerParts } from './composed-parts.js'
import { createApplicationEvents } from './create-application-events.js'
import { createHooks } from './create-hooks.js'
import { describeApi } from './describe-api.js'
import { disabledOperationsOf } from './disabled-operations.js'
import { registerOptions } from './registered-options.js'
import { resolveOptions } from './resolved-options.js'
import { GivenOptionsToken } from './server-diagnosis.js'
import { ServerMetrics } from './server-metrics.js'
import { SocketUpgrade } from './socket-upgrade.js'

/** Shared by all servers of the process, because compiling its validators takes long. */
const organizationFileFormat = new OrganizationFileFormat(allFileSections)

/** Work that runs in the background while the server is running. */
const backgroundWork: readonly InjectionToken<BackgroundWork>[] = [
  LibraryWatch,
  ServerMetrics,
  ...resources.flatMap((resource) => resource.backgroundWork),
]

/**
 * Creates a chat server inside an application. It opens nothing before `start()` and leaves nothing
 * open after `close()`.
 *
 * @throws {TypeError} naming every invalid or unknown option.
 */
export function createChatServer<const Client extends KnexClient>(
  options: ChatServerOptions<Client>,
): ChatServer
export function createChatServer(options: ChatServerOptions): ChatServer {
  const parts = compose(options)
  const chat = new ComposedChatServer(parts)
  parts.telemetry.reportAs(chat)
  return chat
}

/** A key of the options for tests: see `WriteListeners.preparesAgain`. */
const preparesAgain = Symbol.for('@parley/core prepares again')

/** Creates the lower layers explicitly, and lets a container of this server resolve the rest. */
function compose(options: ChatServerOptions): ChatServerParts {
  const resolved = resolveOptions(options)
  const { clock, logger } = resolved
  const { logPollMilliseconds } = resolved.facts
  const disabledOperations = disabledOperationsOf(resolved.disabledOperationNames, allOperations)
  const telemetry = new Telemetry(options.telemetry)
  const database = new Database(options.database, resolved.tablePrefix, {
    ...resolved.databaseRules,
    telemetry,
    clock,
    logger,
  })
  const sealedKeys = new SealedKeyRepository(database)
  const secrets = new ServerSecretRepository(database)
  const secret = new ServerSecret(secrets, sealedKeys, resolved.secrets)
  const dataKey = new DataKey(secrets, secret)
  const catalogue = new EventCatalogue(allEvents)
  const logSecrets = new LogSecrets(catalogue, () => dataKey.box('event log'))
  // 0 means that there are no other processes.
  const broker = logPollMilliseconds > 0 ? database.openBroker() : undefined
  const ownBus = broker ? new BrokerBus(broker, 'parley') : new LocalEventBus()
  const bus: EventBus = options.bus ?? ownBus
  const busRefusals = new BusRefusals(telemetry, clock, logger)
  const resolve = <Service>(token: InjectionToken<Service>): Service => container.resolve(token)
  const hooks = createHooks(database, resolve, logger)
  const unitOfWork = new UnitOfWork(database, bus, clock, logger, {
    onCommit: (organizationId, records) => events.report(organizationId, records),
    changesMemory: (kind) => delivery.logs.changesMemory(kind),
    requireCaller: (scope, caller, options) =>
      container.resolve(CallerCheck).require(scope, caller, options),
    preparesAgain: preparesAgain in options,
    sealData: (kind, data) => logSecrets.seal(kind, data),
    telemetry,
    ...(logPollMilliseconds > 0 && {
      catchUp: (organizationId: number, seq: number) => delivery.logs.catchUp(organizationId, seq),
    }),
  })
  const events = createApplicationEvents(catalogue, database, resolve, logger, busRefusals)
  const delivery = new EventDelivery(
    new EventLogReader(database, unitOfWork, logSecrets),
    catalogue,
    bus,
    clock,
    logger,
    { logPollMilliseconds },
    telemetry,
  )
  const compiler = new SchemaCompiler()
  const ephemerals = new EphemeralEvents(
    catalogue,
    (schema) => compiler.compile(schema, { closedObjects: true }),
    bus,
    busRefusals,
    [(event) => delivery.deliverEphemeral(event), (event) => events.reportEphemeral(event)],
  )
  const externalContent = new ExternalContentAddresses(
    dataKey,
    resolved.externalContent,
    resolved.facts.address,
  )
  const rateLimiter = new RateLimiter(clock, logger, resolved.rateLimits)

  const translator = new Translator(options.texts ?? {}, logger)

  const container = rootContainer.createChildContainer()
  container.register(ClockToken, { useValue: clock })
  container.register(LoggerToken, { useValue: logger })
  container.register(EventBusToken, { useValue: bus })
  container.register(Database, { useValue: database })
  container.register(LibraryWatch, { useValue: new LibraryWatch(database, logger) })
  container.register(UnitOfWork, { useValue: unitOfWork })
  container.register(Telemetry, { useValue: telemetry })
  container.register(EventCatalogue, { useValue: catalogue })
  container.register(EventDelivery, { useValue: delivery })
  container.register(FollowedLogs, { useValue: delivery.logs })
  container.register(Translator, { useValue: translator })
  container.register(RateLimiter, { useValue: rateLimiter })
  container.register(OperationHooks, { useValue: hooks })
  container.register(ApplicationEvents, { useValue: events })
  container.register(SealedKeyRepository, { useValue: sealedKeys })
  container.register(ServerSecretRepository, { useValue: secrets })
  container.register(DataKey, { useValue: dataKey })
  container.register(LogSecrets, { useValue: logSecrets })
  container.register(ServerSecret, { useValue: secret })
  container.register(ServerSecretToken, { useValue: secret })
  container.register(ExternalContentAddresses, { useValue: externalContent })
  container.register(PasswordHasher, {
    useValue: new PasswordHasher({ hashing: resolved.passwordHashing, logger }),
  })
  container.register(GivenOptionsToken, { useValue: options })
  registerOptions(container, resolved, disabledOperations)
  registerResources(container, disabledOperations)

  try {
    container.resolve(Webhooks).add()
  } catch (error) {
    // The bus may be the application's, which outlives this server.
    ephemerals.close()
    delivery.close()
    throw error
  }

  const unwritten = container.resolve(UnwrittenMessages)
  delivery.logs.on(messageSent, (organizationId) => unwritten.noteMessage(organizationId))

  const pipeline = new HttpPipeline({
    operations: allOperations,
    disabledOperations,
    resolve,
    organizations: container.resolve(OrganizationResolverToken),
    authenticator: container.resolve(AuthenticatorToken),
    spectators: container.resolve(SpectatorGateToken),
    callers: unwritten,
    translator,
    languages: container.resolve(CallerLanguages),
    rateLimiter,
    clock,
    logger,
    problems: container.resolve(SetupProblems),
    hooks,
    telemetry,
    writes: unitOfWork.pending,
    unavailabilityOf: (error) => unavailabilityOf(database.dialect, error),
    options: resolved.pipeline,
  })
  container.register(ApplicationCalls, {
    useValue: new ApplicationCalls({
      operations: allOperations,
      disabledOperations,
      resolve,
      chatUrl: resolved.facts.address.url ?? resolved.facts.address.at('http://localhost'),
      checkResponses: resolved.pipeline.checkResponses ?? false,
      hooks,
      callers: unwritten,
      telemetry,
    }),
  })
  return {
    migrations: resolved.migrations,
    telemetry,
    database,
    secret,
    dataKey,
    bus,
    busRefusals,
    ephemerals,
    databaseId: async () => secrets.findOrInsert('database_id', randomToken(18)),
    delivery,
    pipeline,
    upgrade: new SocketUpgrade(pipeline, container.resolve(EventSocketGate)),
    hooks,
    events,
    backgroundWork,
    resolve,
  }
}

/** Registers the services that layers, and resources below others, look up by token only. */
function registerResources(
  container: DependencyContainer,
  disabledOperations: ReadonlySet<string>,
): void {
  container.register(OrganizationResolverToken, { useToken: RequestOrganizationResolver })
  container.register(AuthenticatorToken, { useToken: RequestAuthenticator })
  container.register(SpectatorGateToken, { useToken: Spectators })
  container.register(DescribeApiToken, {
    useValue: (serverUrl) =>
      describeApi(serverUrl, {
        operations: allOperations.filter(({ id }) => !disabledOperations.has(id)),
        events: allEvents,
        snapshots: allSnapshots,
      }),
  })
  container.register(DescriptionRendererToken, { useToken: MessageRenderer })
  for (const { token, implementations } of hooks) {
    for (const implementation of implementations) {
      container.register(token, { useToken: implementation })
    }
  }
  container.register(OrganizationFileFormat, { useValue: organizationFileFormat })
  container.register(SectionStoresToken, {
    useValue: allFileSections.map((section) =>
      sectionStore(section, (token) => container.resolve(token)),
    ),
  })
  container.register(SnapshotLoadersToken, {
    useValue: allSnapshots.map((snapshot) =>
      snapshotLoader(snapshot, (token) => container.resolve(token)),
    ),
  })
}
