import type { InjectionToken } from 'tsyringe'

import type { ApplicationEvents } from '../events/application/application-events.js'
import type { OperationHooks } from '../events/application/operation-hooks.js'
import type { BusRefusals } from '../events/bus/bus-refusals.js'
import type { EventBus } from '../events/bus/bus.js'
import type { EphemeralEvents } from '../events/bus/ephemeral-events.js'
import type { EventDelivery } from '../events/delivery.js'
import type { HttpPipeline } from '../http/pipeline/pipeline.js'
import type { BackgroundWork } from '../kernel/periodic-task.js'
import type { Telemetry } from '../kernel/telemetry/telemetry.js'
import type { DataKey, ServerSecret } from '../resources/people/credentials/index.js'
import type { Database } from '../storage/index.js'
import type { ResolvedOptions } from './resolved-options.js'
import type { SocketUpgrade } from './socket-upgrade.js'

/** The parts of a server, wired together, none of them started. */
export interface ChatServerParts {
  readonly migrations: ResolvedOptions['migrations']
  readonly telemetry: Telemetry
  readonly database: Database
  readonly secret: ServerSecret
  readonly dataKey: DataKey
  readonly bus: EventBus
  readonly busRefusals: BusRefusals
  readonly ephemerals: EphemeralEvents
  /** Identifies the database, for buses that several products share. */
  readonly databaseId: () => Promise<string>
  readonly delivery: EventDelivery
  readonly pipeline: HttpPipeline
  readonly upgrade: SocketUpgrade
  readonly hooks: OperationHooks
  readonly events: ApplicationEvents
  readonly backgroundWork: readonly InjectionToken<BackgroundWork>[]
  /** Resolves the server's single instance of a service. */
  readonly resolve: <Service>(token: InjectionToken<Service>) => Service
}
