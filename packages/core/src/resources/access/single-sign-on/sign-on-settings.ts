import type { InjectionToken } from 'tsyringe'

import type { ChatAddress } from '../../../kernel/chat-address.js'

/** Configures the sign-on of clients through the application's own login page. */
export interface SignOn {
  /** The label of the button in clients: the name of the application. */
  readonly displayName: string
  /**
   * The application's own login page: a path, or a URL. It gets the parameter `next`, and must
   * redirect the user there after login: a path for a path, a URL for a URL.
   */
  readonly loginUrl: string
  /**
   * Where new users create an account.
   *
   * @default the sign-on itself
   */
  readonly signupUrl?: string
  /**
   * URL of an image for the button.
   *
   * @default no image
   */
  readonly displayIcon?: string
}

export const SignOnToken: InjectionToken<{ readonly signOn: SignOn | undefined }> = Symbol('SignOn')

/** Relative to the API. */
export const signOnPath = '/sign_on'

/** One of the `external_authentication_methods` that are sent to clients. */
export interface ExternalAuthenticationMethod {
  readonly name: string
  readonly display_name: string
  readonly display_icon: string | null
  readonly login_url: string
  readonly signup_url: string
}

export function externalMethods(
  signOn: SignOn | undefined,
  address: ChatAddress,
): ExternalAuthenticationMethod[] {
  if (signOn === undefined) return []
  const url = address.api(signOnPath)
  return [
    {
      name: 'application',
      display_name: signOn.displayName,
      display_icon: signOn.displayIcon ?? null,
      login_url: url,
      signup_url: signOn.signupUrl ?? url,
    },
  ]
}
