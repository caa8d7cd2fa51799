import { createHash } from 'node:crypto'
import { isIP } from 'node:net'

import type { InjectionToken } from 'tsyringe'

import { propertiesOf } from '../../../kernel/objects.js'
import { hostOf, isHostName } from '../../../kernel/outgoing-requests.js'
import { isPublicAddress } from '../../../kernel/public-addresses.js'
import type { ChatEventName } from '../consumers/index.js'

/** An address to which events are sent. */
export interface WebhookOption {
  /** With `https:`; also with `http:` if its host is one of `privateHosts`. */
  readonly url: string
  /**
   * Key of the signatures; at least 32 characters. With a list of up to five, newest first, each
   * request has a signature with each of them, so that the receiver can change over.
   */
  readonly secret: string | readonly string[]
  /** The names of the events. @default all events of clients that are stored in the log */
  readonly types?: readonly ChatEventName[]
  /**
   * Identifies the position among the durable consumers; 1 to 100 characters.
   *
   * @default `webhook`, the URL's host, and letters that depend on the URL
   */
  readonly name?: string
  /**
   * Attempts, from 1 to 100, before an event is parked: 20 take an hour, 100 take eight hours.
   *
   * @default 20
   */
  readonly attempts?: number
  /**
   * The URL's host, as it is written there, if it is on this machine or in a private network:
   * `localhost`, `10.0.0.7`.
   *
   * @default []
   */
  readonly privateHosts?: readonly string[]
}

/** A webhook with all defaults applied. */
export interface WebhookSettings {
  readonly url: URL
  readonly secrets: readonly string[]
  readonly types: readonly ChatEventName[] | undefined
  readonly name: string
  readonly attempts: number
  readonly privateHosts: ReadonlySet<string>
}

export const WebhooksToken: InjectionToken<readonly WebhookSettings[]> = Symbol('Webhooks')

const defaultAttempts = 20
const minSecretLength = 32
const maxSecrets = 5
const known = ['url', 'secret', 'types', 'name', 'attempts', 'privateHosts']

/** The webhooks with all defaults applied. They must have been checked. */
export function webhookSettings(options: readonly WebhookOption[] = []): WebhookSettings[] {
  return options.map(({ url: text, secret, types, name, attempts, privateHosts }) => {
    const url = new URL(text)
    return {
      url,
      secrets: typeof secret === 'string' ? [secret] : secret,
      types,
      name: name ?? defaultName(url),
      attempts: attempts ?? defaultAttempts,
      privateHosts: canonicalHosts(privateHosts),
    }
  })
}

/** The problem with the option, as text after its name; undefined if it is valid. */
export function webhooksProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be a list of objects with url and secret'
  const items: readonly unknown[] = value
  for (const [index, item] of items.entries()) {
    const problem = webhookProblem(item)
    // A URL may contain a secret of its receiver, so it is not repeated.
    if (problem !== undefined) return `at index ${index} ${problem}`
  }
  return undefined
}

function webhookProblem(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null) return 'must be an object with url and secret'
  const { url, secret, types, name, attempts, privateHosts = [] } = propertiesOf(item)
  const unknown = Object.keys(item).filter((key) => !known.includes(key))
  if (unknown.length > 0) return `has no option ${unknown.join(', ')}`
  if (!Array.isArray(privateHosts) || !privateHosts.every(isHostName)) {
    return 'must have as privateHosts a list of names and addresses without ports'
  }
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret]
  const isSecret = (one: unknown) => typeof one === 'string' && one.length >= minSecretLength
  if (secrets.length === 0 || secrets.length > maxSecrets || !secrets.every(isSecret)) {
    return `must have as secret a text of ${minSecretLength} characters or more, or a list of up to ${maxSecrets}`
  }
  if (types !== undefined && (!Array.isArray(types) || types.length === 0)) {
    return 'must have as types a list of names of events'
  }
  if (name !== undefined && (typeof name !== 'string' || name === '' || name.length > 100)) {
    return 'must have a name of 1 to 100 characters'
  }
  const isCount = Number.isSafeInteger(attempts) && Number(attempts) >= 1 && Number(attempts) <= 100
  if (attempts !== undefined && !isCount) return 'must have as attempts an integer from 1 to 100'
  return urlProblem(url, canonicalHosts(privateHosts))
}

function urlProblem(text: unknown, privateHosts: ReadonlySet<string>): string | undefined {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['https:', 'http:'].includes(url.protocol)) {
    return 'must have a URL with https: as url'
  }
  const host = hostOf(url)
  if (privateHosts.has(host)) return undefined
  if (url.protocol === 'http:') {
    return 'must have a url with https:, or its host among its privateHosts'
  }
  return isIP(host) !== 0 && !isPublicAddress(host)
    ? 'has the url of a private address; list it in its privateHosts if that is intended'
    : undefined
}

function canonicalHosts(hosts: readonly string[] = []): ReadonlySet<string> {
  return new Set(hosts.map((host) => host.toLowerCase()))
}

/** Without the path of the URL, which may be secret. */
function defaultName(url: URL): string {
  const hash = createHash('sha256').update(url.href).digest('hex').slice(0, 8)
  return `webhook ${hostOf(url).slice(0, 70)} ${hash}`
}
