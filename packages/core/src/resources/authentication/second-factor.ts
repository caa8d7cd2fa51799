import type { IncomingMessage } from 'node:http'

import { inject, type InjectionToken } from 'tsyringe'

import { ChatError } from '../../errors/index.js'
import type { Organization } from '../../http/ports.js'
import { perServer } from '../../kernel/per-server.js'
import type { UserRow } from '../users/index.js'

/** A sign-in with the right password, for the application to check further. */
export interface SecondFactorAttempt {
  readonly user: {
    /** The chat's own id. */
    readonly id: number
    /** The application's id; null for users whom the application does not know. */
    readonly externalId: string | null
    readonly email: string
    readonly fullName: string
    /** As in `HostIdentity`. */
    readonly role: number
    /** The `subdomain` of the organization. */
    readonly organization: string
  }
  /** What the client has sent as `second_factor_code`: 1 to 100 characters. */
  readonly code: string | undefined
  /** The request of `POST /fetch_api_key`; its body was read. */
  readonly request: IncomingMessage
}

/**
 * What comes of a sign-in: it goes on; the client needs a code; the code is wrong; or it is refused
 * with a text that the client shows.
 */
export type SecondFactorVerdict =
  | 'accepted'
  | 'codeRequired'
  | 'codeWrong'
  | { readonly refusal: string }

/**
 * Checks a second factor after the password was right. What it throws is answered with a 500, and
 * logged; a `ChatError` is answered as it is.
 */
export type SecondFactor = (
  attempt: SecondFactorAttempt,
) => SecondFactorVerdict | Promise<SecondFactorVerdict>

export const SecondFactorToken: InjectionToken<{
  readonly secondFactor: SecondFactor | undefined
}> = Symbol('SecondFactor')

/** Asks the application for its consent to a sign-in. */
@perServer()
export class SecondFactorCheck {
  constructor(
    @inject(SecondFactorToken)
    private readonly options: { readonly secondFactor: SecondFactor | undefined },
  ) {}

  /**
   * @throws {ChatError} `SECOND_FACTOR_REQUIRED` without a code that is needed,
   *   `SECOND_FACTOR_FAILED` if the code is wrong or the sign-in refused.
   * @throws {TypeError} if the application answers anything else.
   */
  async require(
    user: UserRow,
    organization: Organization,
    given: { readonly code: string | undefined; readonly request: IncomingMessage },
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
      ...given,
    })
    if (verdict === 'accepted') return
    if (verdict === 'codeRequired') throw new ChatError('SECOND_FACTOR_REQUIRED')
    if (verdict === 'codeWrong') throw new ChatError('SECOND_FACTOR_FAILED')
    const { refusal } = (verdict ?? {}) as { readonly refusal?: unknown }
    if (typeof refusal === 'string') {
      throw new ChatError('SECOND_FACTOR_FAILED', { message: refusal })
    }
    throw new TypeError('secondFactor must answer accepted, codeRequired, codeWrong or a refusal')
  }
}
