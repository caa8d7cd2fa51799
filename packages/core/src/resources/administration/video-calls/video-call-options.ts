import type { InjectionToken } from 'tsyringe'

import { propertiesOf } from '../../../kernel/objects.js'
import type { ServerFacts } from '../../../kernel/server-facts.js'

/** The servers for video calls; without any, clients offer no calls. */
export interface VideoCallsOption {
  /** A BigBlueButton server, version 2.5 or newer. */
  readonly bigBlueButton?: BigBlueButtonServer
  /** The Jitsi Meet server of organizations that have not set one of their own. */
  readonly jitsi?: {
    /** URL of the server, such as `https://jitsi.product.example`. */
    readonly url: string
  }
}

/** A BigBlueButton server, as `bbb-conf --secret` describes it. */
export interface BigBlueButtonServer {
  /** URL of the server, such as `https://calls.product.example/bigbluebutton/`. */
  readonly url: string
  /** The shared secret, with which this server signs its requests; it is not sent to anyone. */
  readonly secret: string
}

/** The BigBlueButton server, if there is one. */
export const BigBlueButtonToken: InjectionToken<{
  readonly server: BigBlueButtonServer | undefined
}> = Symbol('BigBlueButton')

/** Every provider of video calls, by the names that clients use. */
const allProviders = {
  disabled: { name: 'None', id: 0 },
  jitsi_meet: { name: 'Jitsi Meet', id: 1 },
  big_blue_button: { name: 'BigBlueButton', id: 4 },
} as const

type Providers = Readonly<Record<string, { readonly name: string; readonly id: number }>>

/** The ids of all providers, also of those that this server does not offer. */
export const videoChatProviderIds: readonly number[] = Object.values(allProviders).map(
  ({ id }) => id,
)

/**
 * The providers that an organization can choose from. Jitsi Meet is always one of them, because an
 * organization can set a server of its own.
 */
export function videoChatProviders({ videoCalls }: Pick<ServerFacts, 'videoCalls'>): Providers {
  const { big_blue_button: bigBlueButton, ...others } = allProviders
  return videoCalls.hasBigBlueButton ? { ...others, big_blue_button: bigBlueButton } : others
}

/** The provider that clients use: none if the stored one is no longer configured. */
export function offeredProvider(id: number, facts: Pick<ServerFacts, 'videoCalls'>): number {
  const isOffered = Object.values(videoChatProviders(facts)).some((provider) => provider.id === id)
  return isOffered ? id : allProviders.disabled.id
}

/** Returns the problem with the option, as text after its name; undefined if valid. */
export function videoCallsProblem(value: unknown): string | undefined {
  const { bigBlueButton, jitsi, ...others } = propertiesOf(value)
  const isRight =
    typeof value === 'object' &&
    value !== null &&
    Object.keys(others).length === 0 &&
    (bigBlueButton === undefined || isBigBlueButton(bigBlueButton)) &&
    (jitsi === undefined || isUrl(propertiesOf(jitsi)['url']))
  return isRight
    ? undefined
    : 'must be an object with bigBlueButton (url, secret) and jitsi (url); each url with http: or https:, without a query'
}

function isBigBlueButton(value: unknown): boolean {
  const { url, secret } = propertiesOf(value)
  return isUrl(url) && typeof secret === 'string' && secret !== ''
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\/[^\s?#@]+$/.test(value) && URL.canParse(value)
}
