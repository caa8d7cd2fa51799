import type { InjectionToken } from 'tsyringe'

import type { PasswordAuthenticator } from './password-authenticator.js'

/** The application's authenticators; called in this order, before stored passwords are checked. */
export const PasswordAuthenticatorsToken: InjectionToken<readonly PasswordAuthenticator[]> =
  Symbol('PasswordAuthenticators')
