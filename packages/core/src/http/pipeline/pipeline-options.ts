import type { InjectionToken } from 'tsyringe'
import type { OperationHooks } from '../../events/application/operation-hooks.js'
import type { ChatAddress } from '../../kernel/chat-address.js'
import type { Clock } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/logger.js'
import type { SetupProblems } from '../../kernel/setup-problems.js'
import type { Telemetry } from '../../kernel/telemetry/telemetry.js'
import type { Translator } from '../../texts/index.js'
import type { BodyBudgetLimits } from '../bodies/body-budget.js'
import type { RateLimiter } from '../limits/rate-limiter.js'
import type { Operation } from '../operation.js'
import type {
  Authenticator,
  CallerNotes,
  LanguageSettings,
  OrganizationResolver,
  SpectatorGate,
  WriteAdmission,
} from '../ports.js'
import type { ChatPage } from '../replies/chat-page.js'
import type { AdministrationAddresses } from './administration-gate.js'
import type { BaseUrlOf, HostHooks } from './host-identity.js'

export interface HttpPipelineOptions {
  /** Maximum size of a request's form data, without files, in bytes. @default 26214400 (25 MiB) */
  readonly maxFormBytes?: number
  /**
   * Maximum size of a multipart body, in bytes. Operations that accept larger files raise it.
   * @default 83886080 (80 MiB)
   */
  readonly maxBodyBytes?: number
  /** Memory limits for the bodies of unanswered requests. @default 256 and 64 MiB */
  readonly bodyBudget?: BodyBudgetLimits
  /**
   * Whether responses that an operation does not declare become errors 500. For tests.
   * @default false
   */
  readonly checkResponses?: boolean
  /** @default any address */
  readonly administrationAddresses?: AdministrationAddresses | undefined
  /** @default none */
  readonly page?: ChatPage | undefined
  /** Origins whose pages may read answers. @default none */
  readonly trustedOriginsOf?: HostHooks['trustedOriginsOf'] | undefined
  /** @default the root of the server */
  readonly address?: ChatAddress
  /** @default the request's own origin */
  readonly baseUrlOf?: BaseUrlOf
}

export interface HttpPipelineDependencies {
  readonly operations: readonly Operation[]
  /** Ids of the operations that are switched off. @default none */
  readonly disabledOperations?: ReadonlySet<string>
  /** Resolves the instance of an operation's `service`; called once per operation. */
  readonly resolve: <Service>(token: InjectionToken<Service>) => Service
  readonly organizations: OrganizationResolver
  readonly authenticator: Authenticator
  readonly spectators: SpectatorGate
  readonly rateLimiter: RateLimiter
  readonly clock: Clock
  readonly problems: SetupProblems
  readonly logger: Logger
  /** Writes the texts of errors. */
  readonly translator: Translator
  readonly languages: LanguageSettings
  /** Whether an error means that the database is locked or unavailable. */
  readonly unavailabilityOf: (error: unknown) => string | undefined
  /** @default everything may wait */
  readonly writes?: WriteAdmission
  /** @default none */
  readonly callers?: CallerNotes
  /** @default none */
  readonly hooks?: OperationHooks
  /** Reports the requests. @default without a tracer */
  readonly telemetry?: Telemetry
  readonly options?: HttpPipelineOptions
}
