import type { InjectionToken } from 'tsyringe'

import type { ChatAddress } from './chat-address.js'

/** The parts of the server's configuration that resources use. */
export interface ServerFacts {
  readonly address: ChatAddress
  readonly fakeEmailDomain: string
  readonly systemBotDomain: string
  readonly development: boolean
  /** The policy for new passwords. */
  readonly passwordPolicy: { readonly minLength: number; readonly minGuesses: number }
  /** Whether a password change replaces the API key. */
  readonly passwordChangeReplacesApiKey: boolean
  /** Whether users whom the application identifies may have API keys. */
  readonly apiKeys: 'on' | 'off'
  /** The properties that users whom the application identifies may not change themselves. */
  readonly ownedByApplication: readonly ('fullName' | 'email' | 'avatar' | 'role')[]
  /** Whether administrators get the external ids of users. */
  readonly externalIdsForAdministrators: boolean
  /** Whether web-public channels are allowed. */
  readonly webPublicChannels: boolean
  /** Whether users may have pictures from gravatar.com. */
  readonly gravatar: boolean
  readonly heartbeatSeconds: number
  readonly queueIdleTimeoutSeconds: number
  /**
   * Maximum delay until other processes' changes are noticed; 0 if there are no other processes.
   */
  readonly logPollMilliseconds: number
  readonly extraEmojiType: 'service_extra_emoji' | 'zulip_extra_emoji'
  /** Maximum size of an uploaded file; 0 if uploads are disabled. */
  readonly maxUploadMebibytes: number
  /** Upload quota of an organization; Infinity for no limit. */
  readonly uploadQuotaMebibytes: number
  /** Upload quota of a user; Infinity for no limit. */
  readonly userUploadQuotaMebibytes: number
  /** The servers for video calls. */
  readonly videoCalls: { readonly hasBigBlueButton: boolean; readonly jitsiUrl: string | null }
  /** Rows of the audit trail are kept this long; Infinity for ever. */
  readonly auditRetentionDays: number
  /** Organizations with more messages cannot be exported by their administrators. */
  readonly dataExportMaxMessages: number
  /** After this time, the archive of a data export is deleted. */
  readonly dataExportKeepDays: number
  /** Ids of the operations that the application has switched off. */
  readonly disabledOperations: ReadonlySet<string>
  /** Whether the server can send digests. */
  readonly sendsDigests: boolean
  /** How the server receives mail; undefined if it receives none. */
  readonly incomingMail: { readonly domain: string; readonly maxMailBytes: number } | undefined
  /** UNIX seconds. */
  readonly startedAtSeconds: number
}

export const ServerFactsToken: InjectionToken<ServerFacts> = Symbol('ServerFacts')

/**
 * The domain of stand-in addresses: the server's own host if it is a valid domain of an address.
 */
export function standInDomain(facts: Pick<ServerFacts, 'address' | 'fakeEmailDomain'>): string {
  if (facts.address.url === undefined) return facts.fakeEmailDomain
  const { host } = new URL(facts.address.url)
  const isDomain = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host) && !/^[0-9.]+$/.test(host)
  return isDomain ? host : facts.fakeEmailDomain
}
