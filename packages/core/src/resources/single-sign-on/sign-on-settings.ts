import type { InjectionToken } from 'tsyringe'

/** How the clients' sign-on leads through the application's own login. */
export interface SignOn {
  /** What the button in clients says: the name of the application. */
  readonly displayName: string
  /**
   * The application's own login page: a path, or a URL. It gets the parameter `next`, where it must
   * lead whoever has logged in: a path for a path, a URL for a URL.
   */
  readonly loginUrl: string
  /** Where somebody without an account gets one. @default the sign-on itself */
  readonly signupUrl?: string
  /** The address of an image for the button. @default none */
  readonly displayIcon?: string
}

export const SignOnToken: InjectionToken<{ readonly signOn: SignOn | undefined }> = Symbol('SignOn')

/** Relative to the organization's address. */
export const signOnPath = '/api/v1/sign_on'

/** One of the `external_authentication_methods` that clients are told of. */
export interface ExternalAuthenticationMethod {
  readonly name: string
  readonly display_name: string
  readonly display_icon: string | null
  readonly login_url: string
  readonly signup_url: string
}

export function externalMethods(signOn: SignOn | undefined): ExternalAuthenticationMethod[] {
  if (signOn === undefined) return []
  return [
    {
      name: 'application',
      display_name: signOn.displayName,
      display_icon: signOn.displayIcon ?? null,
      login_url: signOnPath,
      signup_url: signOn.signupUrl ?? signOnPath,
    },
  ]
}
