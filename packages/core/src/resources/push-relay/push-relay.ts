import type { InjectionToken } from 'tsyringe'

import { acceptEveryCopy } from '../../errors/index.js'

/** Why a relay did not do what it was asked for. */
export type PushRelayProblem =
  /** It could not be reached, or did not answer in time. */
  | 'unreachable'
  /** It failed itself (a status of 500 or more). */
  | 'broken'
  /** It does not know this server, or not this organization, or the plan does not allow it. */
  | 'credentials'
  | 'unregistered'
  | 'disallowed'
  /** It answered something that makes no sense. */
  | 'unexpected'
  /** It refused this request, for the reason that the error's code names. */
  | 'refused'

/** What a {@link PushRelay} throws, and nothing else. */
export class PushRelayError extends Error {
  static {
    acceptEveryCopy(this, 'PushRelayError')
  }

  constructor(
    readonly problem: PushRelayProblem,
    message: string,
    /** The relay's own code, such as `INVALID_BOUNCER_PUBLIC_KEY`. */
    readonly code = 'BAD_REQUEST',
    options: ErrorOptions = {},
  ) {
    super(message, options)
    this.name = 'PushRelayError'
  }
}

/** Whether a failure may be over by itself when the same is asked for again. */
export function mayPass({ problem }: PushRelayError): boolean {
  return problem === 'unreachable' || problem === 'broken'
}

/** Whose device a request is about. */
export interface PushUser {
  readonly realmUuid: string
  readonly userUuid: string
  readonly userId: number
}

/** A device of the older kind: its push service's own token. */
export interface PushToken {
  readonly token: string
  /** 1 for APNs, 2 for FCM. */
  readonly kind: 1 | 2
}

/** Whether the organization may push, as the relay reports it. */
export interface PushStatus {
  readonly canPush: boolean
  /** UNIX seconds, or null for no end. */
  readonly expectedEndSeconds: number | null
}

/** A notification that the relay can read, for devices of the older kind. */
export interface TokenNotification {
  readonly user: PushUser
  readonly appleTokens: readonly string[]
  readonly androidTokens: readonly string[]
  readonly applePayload: object
  readonly androidPayload: object
  readonly priority: 'high' | 'normal'
}

export interface TokenNotificationOutcome {
  /** Tokens that the push services no longer know. */
  readonly deletedAppleTokens: readonly string[]
  readonly deletedAndroidTokens: readonly string[]
  readonly status: PushStatus | undefined
}

/** An encrypted notification for one registered device. */
export interface DeviceNotification {
  readonly relayDeviceId: number
  readonly tokenKind: 'apns' | 'fcm'
  readonly pushAccountId: bigint
  /** Base64. */
  readonly encryptedData: string
  /** Whether the device shows it; otherwise it only takes others away. */
  readonly isAlert: boolean
}

export interface DeviceNotificationOutcome {
  /** Devices that the push services no longer know. */
  readonly deletedRelayDeviceIds: readonly number[]
  readonly status: PushStatus | undefined
}

/** A device's registration, which only the relay can read. */
export interface DeviceRegistration {
  readonly realmUuid: string
  readonly pushAccountId: bigint
  /** Base64. */
  readonly encryptedPushRegistration: string
  /** Base64; names the relay's key that it was encrypted for. */
  readonly bouncerPublicKey: string
}

/**
 * Brings notifications to Apple's and Google's push services. Every method throws a
 * {@link PushRelayError} if it fails, and gives up when `signal` is aborted. What takes longer than
 * 30 seconds may be asked for again meanwhile, by another process.
 */
export interface PushRelay {
  registerToken(
    user: PushUser,
    token: PushToken,
    iosAppId: string | null,
    signal: AbortSignal,
  ): Promise<void>
  unregisterToken(user: PushUser, token: PushToken, signal: AbortSignal): Promise<void>
  unregisterAllTokens(user: PushUser, signal: AbortSignal): Promise<void>
  sendTest(user: PushUser, token: PushToken, payload: object, signal: AbortSignal): Promise<void>
  sendToTokens(
    notification: TokenNotification,
    signal: AbortSignal,
  ): Promise<TokenNotificationOutcome>
  /** @returns the relay's id of the device. */
  registerDevice(registration: DeviceRegistration, signal: AbortSignal): Promise<number>
  sendToDevices(
    realmUuid: string,
    notifications: readonly DeviceNotification[],
    signal: AbortSignal,
  ): Promise<DeviceNotificationOutcome>
}

/** The relay of the server; undefined where notifications are not configured. */
export const PushRelayToken: InjectionToken<{ readonly relay: PushRelay | undefined }> =
  Symbol('PushRelay')
