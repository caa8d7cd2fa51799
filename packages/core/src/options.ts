import type { IncomingMessage } from 'node:http'
import type { QuotaName } from './domain/quotas.js'
import type { EventBus } from './events/bus.js'
import type { Logger } from './kernel/logger.js'
import type { Clock } from './kernel/clock.js'
import type { DatabaseOption } from './storage/index.js'
import type { AdministrationAddresses } from './http/administration-gate.js'
import type { Identify, IdentifyInOrganization, ResolveOrganization } from './http/host-identity.js'
import type { RateLimitRules } from './http/rate-limiter.js'
import type { PasswordAuthenticator, SecondFactor } from './resources/authentication/index.js'
import type { PasswordHashing } from './resources/credentials/index.js'
import type { ExternalContentOption } from './resources/external-content/index.js'
import type { SignOn } from './resources/single-sign-on/index.js'
import type { FileStorage } from './resources/file-storage/index.js'
import type { MailSender } from './resources/mail/index.js'
import type { OutgoingWebhookOption } from './resources/outgoing-webhooks/index.js'
import type { PushRelay, PushRelayAddress } from './resources/push-relay/index.js'

/** What a new password needs. */
export interface PasswordPolicy {
  /** In characters, from 1 to 100. @default 8 */
  readonly minLength?: number
  /** Attempts that it takes to guess it, as zxcvbn estimates; 0 for no estimate. @default 100_000_000 */
  readonly minGuesses?: number
}

/** Everything that an application can say about its chat server; see {@link ChatServerOptions}. */
export interface AllServerOptions {
  /**
   * A Knex instance of the application, or a Knex configuration, with the driver that the
   * application itself uses: `sqlite3`, `better-sqlite3`, `node:sqlite` or `mysql2`.
   */
  readonly database: DatabaseOption
  /**
   * Whether the process may have loaded other SQLite libraries than that of the chat's driver. Only
   * where they open other files than the chat's: two libraries that open the same file destroy it.
   * @default false
   */
  readonly allowOtherSqliteLibraries?: boolean
  /**
   * Put before every table's name: 1 to 30 lower-case letters, digits and underscores, with a
   * letter first.
   * @default 'chat_'
   */
  readonly tablePrefix?: string
  /**
   * What `start()` does about the tables: bring them up to date, refuse to start unless they are,
   * or leave them alone.
   * @default 'auto'
   */
  readonly migrations?: 'auto' | 'check' | 'off'
  /**
   * Where clients reach the server, without a trailing slash; or a function that says it of a
   * request, and does not believe headers that clients can set. What is not part of a request goes
   * without it then. Required with `mail` and `signOn`.
   * @default the request's own origin
   */
  readonly baseUrl?: string | ((request: IncomingMessage) => string)
  /** Domain of the stand-in addresses where `baseUrl` has none that is valid. @default 'users.invalid' */
  readonly fakeEmailDomain?: string
  /** Domain of the addresses of the server's own bots; some clients know them by these. @default 'zulip.com' */
  readonly systemBotDomain?: string
  /**
   * Under which API keys are sealed in the database; at least 32 characters. Without it a secret
   * is kept in the database itself, which protects against a stolen column but not a stolen copy.
   */
  readonly secret?: string
  /**
   * Secrets that open what was sealed under them, and seal nothing: those that `secret` had before,
   * newest first. API keys are sealed under `secret` in the background; `health()` says when an old
   * one can be removed.
   * @default []
   */
  readonly previousSecrets?: readonly string[]
  /**
   * Ids of secrets that are lost, as `start()` names them. API keys that only these would open are
   * replaced, and their clients must sign in again.
   * @default []
   */
  readonly lostSecrets?: readonly string[]
  /** Turns the application's own session into a chat user. Null or undefined: not logged in. */
  readonly identify?: Identify
  /**
   * The `subdomain` of the organization that a request is addressed to, or null for none. What
   * `identify` returns must then name the user's `organization`.
   * @default the only organization
   */
  readonly resolveOrganization?: ResolveOrganization
  /**
   * Where passwords are checked before those that the chat itself stores, in this order.
   * @default []
   */
  readonly passwordAuthenticators?: readonly PasswordAuthenticator[]
  /**
   * Whether a user who changes their password gets another API key as well, which ends the
   * connections of all clients that use the old one.
   * @default true
   */
  readonly passwordChangeReplacesApiKey?: boolean
  /**
   * How passwords that the chat stores are hashed. Hashes of the other kind, and cheaper ones, are
   * still compared with, and replaced at the next sign-in.
   * @default 'argon2id' where the package `@node-rs/argon2` is installed, else 'scrypt'
   */
  readonly passwordHashing?: PasswordHashing
  /**
   * What a new password needs: `minLength` characters (1 to 100), and `minGuesses` attempts to find
   * it, as zxcvbn estimates (0 for no estimate).
   * @default { minLength: 8, minGuesses: 100_000_000 }
   */
  readonly passwordPolicy?: PasswordPolicy
  /**
   * Asked about every sign-in by `POST /fetch_api_key` after the password was right: whether it goes
   * on, needs a code, or is refused.
   */
  readonly secondFactor?: SecondFactor
  /**
   * From which addresses owners and administrators may administer: IP addresses and networks such as
   * `10.0.0.0/8`, or a function of the request and the client's address.
   * @default any address
   */
  readonly administrationAddresses?: AdministrationAddresses
  /**
   * Lets existing mobile clients sign on through the application's own login page, which `identify`
   * then knows of.
   */
  readonly signOn?: SignOn
  /**
   * Who brings notifications to mobile devices: where a relay is reached and as whom, or the
   * application's own way to the push services. Without it there are no notifications.
   */
  readonly pushRelay?: PushRelayAddress | PushRelay
  /** The application's way to send mail. Without it nobody can change their own address. */
  readonly mail?: MailSender
  /**
   * What the bots of type "outgoing webhook" may call: public addresses, and the `privateHosts`
   * that are named here; nothing at all with 'off'.
   * @default {}
   */
  readonly outgoingWebhooks?: OutgoingWebhookOption | 'off'
  /**
   * From where the server loads the pictures, sounds and videos of other hosts that messages show:
   * from public addresses, and the `privateHosts` that are named here. Readers load them from the
   * server. With 'off' messages show links to them instead.
   * @default {}
   */
  readonly externalContent?: ExternalContentOption | 'off'
  /**
   * Origins besides the server's own from which cookie-identified requests may write; or a function
   * that lists them for a request.
   * @default []
   */
  readonly trustedOrigins?:
    | readonly string[]
    | ((request: IncomingMessage) => readonly string[] | Promise<readonly string[]>)
  /**
   * Whether organizations may have channels that the whole web can read. Where it is on, each of
   * them decides with its setting `enable_spectator_access`.
   * @default false
   */
  readonly webPublicChannels?: boolean
  /**
   * Whether users without a picture of their own have the one that gravatar.com shows for their
   * e-mail address. The browsers of readers then load it from there, and its address has a hash of
   * the e-mail address; so only users whose address everyone may see have one. Without it, and for
   * all others, a picture stands in that the server draws from the user's id.
   * @default false
   */
  readonly gravatar?: boolean
  /**
   * Whether the development endpoints work, which give anyone any API key; never in production.
   * @default false
   */
  readonly development?: boolean
  /** Seconds after which a waiting client gets a heartbeat; up to 22 % more at random. @default 45 */
  readonly heartbeatSeconds?: number
  /** How long a queue may go unused, in seconds, unless its client asks otherwise. @default 600 */
  readonly queueIdleTimeoutSeconds?: number
  /** How often other processes' events are looked for, in milliseconds; 0 for a single process. @default 250 */
  readonly logPollMilliseconds?: number
  /** Rules against too many requests, or 'off'. @default the public API's usual rules */
  readonly rateLimits?: Partial<RateLimitRules> | 'off'
  /**
   * Largest form body without files, in bytes; 64 KiB without credentials in any case.
   * @default 25 MiB
   */
  readonly maxFormBytes?: number
  /**
   * How much of the bodies of unanswered requests this process keeps in memory, in MiB; a quarter
   * of it for callers without credentials. Further requests are answered 503.
   * @default 256, or four times `maxFormBytes` where that is more
   */
  readonly maxBufferedMebibytes?: number
  /**
   * How much of it the requests of one client address may take, in MiB; a sixteenth of it without
   * credentials. Further requests are answered 429.
   * @default 64, or twice `maxFormBytes` where that is more
   */
  readonly maxBufferedMebibytesPerAddress?: number
  /**
   * Where uploads and other files are kept: the path of a folder that all processes share, or the
   * application's own way.
   * @default the database
   */
  readonly files?: string | FileStorage
  /** Largest uploaded file, in MiB; 0 for no uploads at all. @default 100 */
  readonly maxUploadMebibytes?: number
  /**
   * What all uploads of an organization may take together, in MiB; Infinity for any amount.
   * @default 51200
   */
  readonly uploadQuotaMebibytes?: number
  /**
   * What all uploads of one user may take together, in MiB; Infinity for any amount. @default 5120
   */
  readonly userUploadQuotaMebibytes?: number
  /**
   * How many of a thing a user, a message, a request or an organization may have, where that is not
   * the usual number. See the table under "Quotas".
   * @default {}
   */
  readonly quotas?: Readonly<Partial<Record<QuotaName, number>>>
  /**
   * The `reaction_type` that is sent for built-in extra emoji. Some existing clients understand
   * 'zulip_extra_emoji' only, which is accepted in any case. @default 'service_extra_emoji'
   */
  readonly extraEmojiType?: 'service_extra_emoji' | 'zulip_extra_emoji'
  /** Where every time and every timer comes from. @default the machine's clock */
  readonly clock?: Clock
  /** Where the server reports what its operator should know. @default silent */
  readonly logger?: Logger
  /** Carries news of commits, and what is in no log, to other processes. @default a bus within this process */
  readonly bus?: EventBus
  /** Checks every answer and event against its declared shape; for tests. @default false */
  readonly checkResponses?: boolean
}

/** Options of a server with one organization. */
export interface OneOrganizationOptions extends Omit<AllServerOptions, 'resolveOrganization'> {
  readonly resolveOrganization?: undefined
}

/** Options of a server with several organizations. */
export interface SeveralOrganizationsOptions extends AllServerOptions {
  readonly resolveOrganization: ResolveOrganization
  /** As above; what it returns names the `organization` of the user. */
  readonly identify?: IdentifyInOrganization
}

/** Everything that an application can say about its chat server. */
export type ChatServerOptions = OneOrganizationOptions | SeveralOrganizationsOptions
