import type { InjectionToken } from 'tsyringe'

/** What the nouns may know of the server's configuration. */
export interface ServerFacts {
  /** Undefined also where it depends on the request. */
  readonly baseUrl: string | undefined
  readonly fakeEmailDomain: string
  readonly systemBotDomain: string
  readonly development: boolean
  /** What a new password needs. */
  readonly passwordPolicy: { readonly minLength: number; readonly minGuesses: number }
  /** Whether a change of a password replaces the API key. */
  readonly passwordChangeReplacesApiKey: boolean
  /** Whether channels may be shown to the whole web. */
  readonly webPublicChannels: boolean
  /** Whether pictures of users may be those that gravatar.com has for their addresses. */
  readonly gravatar: boolean
  readonly heartbeatSeconds: number
  readonly queueIdleTimeoutSeconds: number
  /** How late other processes' changes may be noticed; 0 where there are no other processes. */
  readonly logPollMilliseconds: number
  readonly extraEmojiType: 'service_extra_emoji' | 'zulip_extra_emoji'
  /** Largest uploaded file; 0 for none at all. */
  readonly maxUploadMebibytes: number
  /** What all uploads of an organization may take together; Infinity for any amount. */
  readonly uploadQuotaMebibytes: number
  /** What all uploads of one user may take together; Infinity for any amount. */
  readonly userUploadQuotaMebibytes: number
  /** UNIX seconds. */
  readonly startedAtSeconds: number
}

export const ServerFactsToken: InjectionToken<ServerFacts> = Symbol('ServerFacts')

/**
 * The domain of stand-in addresses: the server's own host where it can be part of an address.
 */
export function standInDomain(facts: Pick<ServerFacts, 'baseUrl' | 'fakeEmailDomain'>): string {
  if (facts.baseUrl === undefined) return facts.fakeEmailDomain
  const { host } = new URL(facts.baseUrl)
  const isDomain = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host) && !/^[0-9.]+$/.test(host)
  return isDomain ? host : facts.fakeEmailDomain
}
