import type { InjectionToken } from 'tsyringe'

import { acceptEveryCopy } from '../../../errors/index.js'

/** Why a relay did not complete a request. */
export type PushRelayProblem =
  /** The relay could not be reached, or did not answer in time. */
  | 'unreachable'
  /** The relay failed with a status of 500 or more. */
  | 'broken'
  /**
   * The server or the organization is not registered at the relay, or its plan does not allow push.
   */
  | 'credentials'
  | 'unregistered'
  | 'disallowed'
  /** The response is invalid. */
  | 'unexpected'
  /** The relay rejected the request, for the reason in the error's code. */
  | 'refused'

/** The only error that a {@link PushRelay} throws. */
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

/** Whether a retry may succeed. */
export function mayPass({ problem }: PushRelayError): boolean {
  return problem === 'unreachable' || problem === 'broken'
}

/** The user and organization of a request. */
export interface PushUser {
  readonly realmUuid: string
  readonly userUuid: string
  readonly userId: number
}

/** A device that is identified by its push service's token. */
export interface PushToken {
  readonly token: string
  /** 1 for APNs, 2 for FCM. */
  readonly kind: 1 | 2
}

/** Whether the organization may use push, as reported by the relay. */
export interface PushStatus {
  readonly canPush: boolean
  /** UNIX seconds, or null for no end. */
  readonly expectedEndSeconds: number | null
}

/** A notification that the relay can read, for token devices. */
export interface TokenNotification {
  readonly user: PushUser
  readonly appleTokens: readonly string[]
  readonly androidTokens: readonly string[]
  readonly applePayload: object
  readonly androidPayload: object
  readonly priority: 'high' | 'normal'
}

export interface TokenNotificationOutcome {
  /** Tokens that are no longer registered at the push services. */
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
  /** Whether the device shows an alert; otherwise the notification only removes others. */
  readonly isAlert: boolean
}

export interface DeviceNotificationOutcome {
  /** Devices that are no longer registered at the push services. */
  readonly deletedRelayDeviceIds: readonly number[]
  readonly status: PushStatus | undefined
}

/** A device's registration, encrypted for the relay. */
export interface DeviceRegistration {
  readonly realmUuid: string
  readonly pushAccountId: bigint
  /** Base64. */
  readonly encryptedPushRegistration: string
  /** Base64; identifies the relay key that it was encrypted with. */
  readonly bouncerPublicKey: string
}

/**
 * A client of a push relay, which sends notifications to Apple's and Google's push services. Every
 * method rejects with a {@link PushRelayError} on failure, and aborts when `signal` is aborted. A
 * call that takes longer than 30 seconds may be repeated by another process meanwhile.
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

/** The relay of the server; undefined if push notifications are not configured. */
export const PushRelayToken: InjectionToken<{ readonly relay: PushRelay | undefined }> =
  Symbol('PushRelay')
