import type { IncomingMessage } from 'node:http'

import { inject, type InjectionToken } from 'tsyringe'

import { ChatError } from '../../../errors/index.js'
import type { Organization } from '../../../http/ports.js'
import { perServer } from '../../../kernel/per-server.js'
import type { UserRow } from '../../people/users/index.js'

/** A sign-in with the right password, which the application checks further. */
export interface SecondFactorAttempt {
  readonly user: {
    /** The chat's own id. */
    readonly id: number
    /** The application's id; null for users who are unknown to the application. */
    readonly externalId: string | null
    readonly email: string
    readonly fullName: string
    /** As in `HostIdentity`. */
    readonly role: number
    /** The `subdomain` of the organization. */
    readonly organization: string
  }
  /** `second_factor_code` as the client sent it: 1 to 100 characters. */
  readonly code: string | undefined
  /** The request of `POST /fetch_api_key`; its body has already been read. */
  readonly request: IncomingMessage
}

/**
 * The result of the check: the sign-in continues; the client needs a code; the code is wrong; or
 * the sign-in is refused with a text that the client shows.
 */
export type SecondFactorVerdict =
  | 'accepted'
  | 'codeRequired'
  | 'codeWrong'
  | { readonly refusal: string }

/**
 * Checks a second factor after the password was right. A thrown `ChatError` is sent to the client;
 * any other error is logged and answered with status 500.
 */
export type SecondFactor = (
  attempt: SecondFactorAttempt,
) => SecondFactorVerdict | Promise<SecondFactorVerdict>

export const SecondFactorToken: InjectionToken<{
  readonly secondFactor: SecondFactor | undefined
}> = Symbol('SecondFactor')

/** Calls the application's check of the second factor. */
@perServer()
export class SecondFactorCheck {
  constructor(
    @inject(SecondFactorToken)
    private readonly options: { readonly secondFactor: SecondFactor | undefined },
  ) {}

  /**
   * @throws {ChatError} `SECOND_FACTOR_REQUIRED` if a required code is missing,
   *   `SECOND_FACTOR_FAILED` if the code is wrong or the sign-in is refused.
   * @throws {TypeError} if the application returns anything else.
   */
  async require(
    user: UserRow,
    organization: Organization,
    input: { readonly code: string | undefined; readonly request: IncomingMessage },
  ): Promise<void> {
    const { secondFactor } = this.options
    if (secondFactor === undefined) return
    const verdict: unknown = await secondFactor({
      user: {
        id: user.id,
        externalId: user.external_id,
        email: user.email,
        fullName: user.full_name,
        role: user.role,
        organization: organization.subdomain,
      },
      ...input,
    })
    if (verdict === 'accepted') return
    if (verdict === 'codeRequired') throw new ChatError('SECOND_FACTOR_REQUIRED')
    if (verdict === 'codeWrong') throw new ChatError('SECOND_FACTOR_FAILED')
    if (typeof verdict === 'object' && verdict !== null && 'refusal' in verdict) {
      const { refusal } = verdict
      if (typeof refusal === 'string') {
        throw new ChatError('SECOND_FACTOR_FAILED', { message: refusal })
      }
    }
    throw new TypeError('secondFactor must answer accepted, codeRequired, codeWrong or a refusal')
  }
}
