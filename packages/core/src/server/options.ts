import type { IncomingMessage } from 'node:http'

import type { QuotaName } from '../domain/quotas.js'
import type { EventBus } from '../events/bus/bus.js'
import type { RateLimitsOption } from '../http/limits/rate-limiter.js'
import type { AdministrationAddresses } from '../http/pipeline/administration-gate.js'
import type { Identify, ResolveOrganization } from '../http/pipeline/host-identity.js'
import type { ChatPage } from '../http/replies/chat-page.js'
import type { Clock } from '../kernel/clock.js'
import type { Logger } from '../kernel/logger.js'
import type { TelemetryOptions } from '../kernel/telemetry/open-telemetry.js'
import type {
  PasswordAuthenticator,
  SecondFactor,
} from '../resources/access/authentication/index.js'
import type { SignOn } from '../resources/access/single-sign-on/index.js'
import type { MailSender } from '../resources/accounts/email-changes/index.js'
import type { InvitationsOption } from '../resources/accounts/invitations/index.js'
import type { VideoCallsOption } from '../resources/administration/video-calls/index.js'
import type { ExternalContentOption } from '../resources/files/external-content/index.js'
import type { FileStorage } from '../resources/files/file-storage/index.js'
import type { IncomingMailOption } from '../resources/notifications/incoming-mail/index.js'
import type { NotificationMailsOption } from '../resources/notifications/mails/index.js'
import type { OutgoingWebhookOption } from '../resources/notifications/outgoing-webhooks/index.js'
import type { PushRelay, PushRelayAddress } from '../resources/notifications/push-relay/index.js'
import type { PasswordHashing } from '../resources/people/credentials/index.js'
import type { WebhookOption } from '../resources/realtime/webhooks/index.js'
import type { DatabaseOption, KnexClient, KnexConfiguration } from '../storage/index.js'
import type { TextsOption } from '../texts/index.js'
import type { OperationsOption, PasswordPolicy } from './option-groups.js'

/** All options of a chat server; see `ChatServerOptions`. */
export interface AllServerOptions<Client = KnexClient> {
  /**
   * A Knex instance of the application, or a Knex configuration, with the driver that the
   * application itself uses: `sqlite3`, `better-sqlite3`, `node:sqlite`, `mysql2` or `pg`. For a
   * Galera cluster, a configuration with `nodes`; for PostgreSQL behind PgBouncer in transaction
   * mode, one with `direct`.
   */
  readonly database: DatabaseOption<Client>
  /**
   * A Knex configuration for a replica of the database, with the same `client`, which is not SQLite.
   * It may lag: messages and lists of users are read there while it has everything that clients
   * may have seen.
   * @default none
   */
  readonly readReplica?: KnexConfiguration
  /**
   * Whether the process may load SQLite libraries other than that of the chat's driver. Only safe
   * if they never open the chat's file: two libraries that open the same file corrupt it.
   * @default false
   */
  readonly allowOtherSqliteLibraries?: boolean
  /**
   * Prefix of every table name: 1 to 30 lower-case letters, digits and underscores, beginning with
   * a letter.
   * @default 'chat_'
   */
  readonly tablePrefix?: string
  /**
   * Whether `start()` migrates the tables, refuses to start unless they are up to date, or does
   * neither.
   * @default 'auto'
   */
  readonly migrations?: 'auto' | 'check' | 'off'
  /**
   * Scheme and host at which clients reach the server, without a path; or a function that returns
   * them for a request. Such a function must not trust headers that clients can set, and work that
   * is not part of a request then has no URL. Required with `mail` and `signOn`.
   * @default the request's own origin
   */
  readonly baseUrl?: string | ((request: IncomingMessage) => string)
  /**
   * The path below which everything of the chat is, as clients send it: `/chat`, without a trailing
   * slash, of at most 200 characters. Segments of letters, digits and `-._`, except dot segments.
   * @default none: the chat is at the root of the server
   */
  readonly basePath?: string
  /**
   * Domain of stand-in e-mail addresses if the host of `baseUrl` is not valid in an address.
   * @default 'users.invalid'
   */
  readonly fakeEmailDomain?: string
  /**
   * Domain of the addresses of the server's own bots; some clients recognize the bots by them.
   * @default 'zulip.com'
   */
  readonly systemBotDomain?: string
  /**
   * Key that encrypts API keys, links of invitations and the keys of signatures at rest; at least
   * 32 characters. Without it, a generated key is stored in the database itself, which protects
   * against a leaked column but not against a leaked copy of the database.
   */
  readonly secret?: string
  /**
   * Previous values of `secret`, newest first, which only decrypt. API keys are encrypted again
   * with `secret` in the background; `health()` reports when a previous secret can be removed.
   * @default []
   */
  readonly previousSecrets?: readonly string[]
  /**
   * Ids of secrets that are lost, as `start()` reports them. API keys that only these can decrypt
   * are replaced, and their clients must sign in again.
   * @default []
   */
  readonly lostSecrets?: readonly string[]
  /**
   * Identifies the chat user of a request by the application's own session. Null or undefined: not
   * logged in.
   */
  readonly identify?: Identify
  /**
   * Returns the `subdomain` of the organization that a request is addressed to, or null for none.
   * The result of `identify` must then include the user's `organization`.
   * @default the only organization
   */
  readonly resolveOrganization?: ResolveOrganization
  /**
   * Authenticators that check passwords before those stored in the chat, in this order.
   * @default []
   */
  readonly passwordAuthenticators?: readonly PasswordAuthenticator[]
  /**
   * Whether a password change also replaces the user's API key, which disconnects all clients that
   * use the old one.
   * @default true
   */
  readonly passwordChangeReplacesApiKey?: boolean
  /**
   * Whether users with an external id, whom the application logs in, may have API keys. With 'off'
   * they can neither get nor replace one; keys that they have stay valid until `endSessions` with
   * `apiKeys: true` replaces them. Bots keep theirs.
   * @default 'on'
   */
  readonly apiKeys?: 'on' | 'off'
  /**
   * Properties that users with an external id may not change themselves, in any role, because the
   * application does; clients show them as closed. A role is then closed to administrators too.
   * @default []
   */
  readonly ownedByApplication?: readonly ('fullName' | 'email' | 'avatar' | 'role')[]
  /**
   * Whether administrators get users' external ids from the API; `chat.asSystem` always does.
   * @default false
   */
  readonly externalIdsForAdministrators?: boolean
  /**
   * Hash algorithm of the passwords that the chat stores. Hashes of the other algorithm, and weaker
   * ones, remain valid and are replaced at the next sign-in.
   * @default 'argon2id' where the package `@node-rs/argon2` is installed, else 'scrypt'
   */
  readonly passwordHashing?: PasswordHashing
  /**
   * Requirements for a new password: at least `minLength` characters (1 to 100), and at least
   * `minGuesses` guesses as estimated by zxcvbn (0 for no estimate).
   * @default { minLength: 8, minGuesses: 100_000_000 }
   */
  readonly passwordPolicy?: PasswordPolicy
  /**
   * Called for every sign-in by `POST /fetch_api_key` with a correct password: decides whether it
   * is accepted, requires a code, or is refused.
   */
  readonly secondFactor?: SecondFactor
  /**
   * Addresses from which owners and administrators may administer: IP addresses and networks such
   * as `10.0.0.0/8`, or a function of the request and the client's address.
   * @default any address
   */
  readonly administrationAddresses?: AdministrationAddresses
  /**
   * Lets existing mobile clients sign on through the application's own login page. `identify` must
   * recognize the session that the page creates.
   */
  readonly signOn?: SignOn
  /**
   * Delivers push notifications to mobile devices: the address and credentials of a relay, or the
   * application's own implementation. Without it there are no push notifications.
   */
  readonly pushRelay?: PushRelayAddress | PushRelay
  /** The application's mail sender. Without it, users cannot change their address or invite people by e-mail. */
  readonly mail?: MailSender
  /** How invited people sign up; "The page" in docs/invitations.md has details. @default {} */
  readonly invitations?: InvitationsOption
  /** Mails about missed messages, and digests; docs/mail.md has the details. @default on with `mail` */
  readonly notificationMails?: NotificationMailsOption | 'off'
  /** Mail that the application passes to `chat.receiveMail`; docs/mail.md has the details. @default none */
  readonly incomingMail?: IncomingMailOption
  /** A page for browsers, such as that of `@parley/web/page`. @default none */
  readonly page?: ChatPage
  /**
   * Hosts that bots of type "outgoing webhook" may call: public addresses, and the `privateHosts`
   * listed here; none with 'off'.
   * @default {}
   */
  readonly outgoingWebhooks?: OutgoingWebhookOption | 'off'
  /**
   * Addresses to which events are sent, signed, each event at least once. "Webhooks" in
   * docs/webhooks.md has the details.
   * @default []
   */
  readonly webhooks?: readonly WebhookOption[]
  /**
   * Hosts from which the server loads external images, audio and video in messages: public
   * addresses, and the `privateHosts` listed here. Readers then load them from the server. With
   * 'off', messages show links instead.
   * @default {}
   */
  readonly externalContent?: ExternalContentOption | 'off'
  /** Servers for video calls; docs/video-calls.md has the details. @default none */
  readonly videoCalls?: VideoCallsOption
  /**
   * Origins, besides the server's own, whose pages may use the chat: read answers (CORS), and write
   * and open WebSockets with the session's cookie; or a function that returns them for a request.
   * @default []
   */
  readonly trustedOrigins?:
    | readonly string[]
    | ((request: IncomingMessage) => readonly string[] | Promise<readonly string[]>)
  /**
   * Whether organizations may have web-public channels, which anyone can read without an account.
   * If true, each organization decides with its setting `enable_spectator_access`.
   * @default false
   */
  readonly webPublicChannels?: boolean
  /**
   * Whether users without an uploaded picture get the one of gravatar.com for their e-mail address.
   * Readers' browsers load it from there, by a URL with a hash of the e-mail address; so it applies
   * only to users whose address is visible to everyone. Other users get a picture that the server
   * generates from the user's id.
   * @default false
   */
  readonly gravatar?: boolean
  /**
   * Whether the development endpoints are enabled, which give anyone any API key; never in
   * production.
   * @default false
   */
  readonly development?: boolean
  /**
   * Interval of heartbeats to a waiting client, in seconds; plus up to 22 % at random. @default 45
   */
  readonly heartbeatSeconds?: number
  /**
   * Default idle timeout of an event queue, in seconds; clients may request another. @default 600
   */
  readonly queueIdleTimeoutSeconds?: number
  /**
   * Interval at which other processes' events are polled, in milliseconds; 0 for a single process.
   * @default 250
   */
  readonly logPollMilliseconds?: number
  /**
   * Operations that are switched off, for every user: `disabled` lists their ids, such as
   * `upload-file`, and groups of them, such as `bots`. "Switched-off operations" in docs/hooks.md
   * has the details.
   * @default {}
   */
  readonly operations?: OperationsOption
  /**
   * Rate limits, or 'off'. "Rate limits" in docs/operating.md describes `rules` and `store`.
   * @default the public API's usual rules, counted by each process
   */
  readonly rateLimits?: RateLimitsOption | 'off'
  /**
   * Maximum size of a form body without files, in bytes; always 64 KiB without credentials.
   * @default 25 MiB
   */
  readonly maxFormBytes?: number
  /**
   * Memory limit of this process for the bodies of unanswered requests, in MiB; a quarter of it for
   * callers without credentials. Requests beyond it are answered 503.
   * @default 256, or four times `maxFormBytes` where that is more
   */
  readonly maxBufferedMebibytes?: number
  /**
   * The same limit for the requests of one client address, in MiB; a sixteenth of it without
   * credentials. Requests beyond it are answered 429.
   * @default 64, or twice `maxFormBytes` where that is more
   */
  readonly maxBufferedMebibytesPerAddress?: number
  /**
   * Storage of uploads and other files: the path of a folder that all processes share, or the
   * application's own implementation.
   * @default the database
   */
  readonly files?: string | FileStorage
  /** Maximum size of an uploaded file, in MiB; 0 disables uploads. @default 100 */
  readonly maxUploadMebibytes?: number
  /**
   * Maximum total size of all uploads of an organization, in MiB; Infinity for no limit.
   * @default 51200
   */
  readonly uploadQuotaMebibytes?: number
  /** Maximum total size of all uploads of one user, in MiB; Infinity for no limit. @default 5120 */
  readonly userUploadQuotaMebibytes?: number
  /** Maximum number of messages for `POST /export/realm`; Infinity for no limit. @default 250000 */
  readonly dataExportMaxMessages?: number
  /** Days after which the archive of such an export is deleted. @default 30 */
  readonly dataExportKeepDays?: number
  /**
   * Maximum numbers of objects that a user, a message, a request or an organization may have, where
   * they differ from the defaults. "Quotas" in docs/operating.md has the table.
   * @default {}
   */
  readonly quotas?: Readonly<Partial<Record<QuotaName, number>>>
  /** How long rows of the audit trail are kept, in days; Infinity deletes none. @default 365 */
  readonly auditRetentionDays?: number
  /**
   * The `reaction_type` of built-in extra emoji in responses. Some existing clients support only
   * 'zulip_extra_emoji', which requests may always use.
   * @default 'service_extra_emoji'
   */
  readonly extraEmojiType?: 'service_extra_emoji' | 'zulip_extra_emoji'
  /** Source of the time and of all timers. @default the machine's clock */
  readonly clock?: Clock
  /** Receives the server's log. @default silent */
  readonly logger?: Logger
  /** Translations of the server's texts. docs/languages.md describes them. @default {} */
  readonly texts?: TextsOption
  /** A `tracer` and a `meter` of OpenTelemetry. docs/telemetry.md lists what they get. @default {} */
  readonly telemetry?: TelemetryOptions
  /**
   * Tells other processes how far the log of each organization has grown, and carries events that
   * are not in the log: typing and immediate presence.
   * @default on PostgreSQL, its LISTEN and NOTIFY; otherwise a bus within this process
   */
  readonly bus?: EventBus
  /** Checks every response and event against its declared schema; for tests. @default false */
  readonly checkResponses?: boolean
}
