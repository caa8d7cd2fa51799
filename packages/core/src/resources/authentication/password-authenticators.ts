import type { InjectionToken } from 'tsyringe'

import type { PasswordAuthenticator } from './password-authenticator.js'

/** The authenticators of the application, asked in this order before the chat's own passwords. */
export const PasswordAuthenticatorsToken: InjectionToken<readonly PasswordAuthenticator[]> =
  Symbol('PasswordAuthenticators')
