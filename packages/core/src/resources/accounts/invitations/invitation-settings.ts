import type { InjectionToken } from 'tsyringe'

/** How people who accept an invitation sign up. */
export interface InvitationsOption {
  /**
   * The application's own page for people who accept an invitation: a path, or a URL. It gets the
   * parameter `invitation`, and with several organizations `organization`, and ends with
   * `chat.invitations.accept`.
   *
   * @default a page of the chat, where people choose a name and a password
   */
  readonly acceptUrl?: string
  /**
   * The terms that people must accept on the chat's page: a path, or a URL.
   *
   * @default no terms
   */
  readonly termsUrl?: string
  /**
   * Where the chat's page leads after an account was created: a path, or a URL.
   *
   * @default no link
   */
  readonly continueUrl?: string
  /**
   * Whether people who sign up through a reusable link must first follow a link in a mail to their
   * address. With `false`, anyone with a reusable link can take any address that is not in use.
   *
   * @default true
   */
  readonly confirmAddresses?: boolean
}

export const InvitationsOptionToken: InjectionToken<InvitationsOption> = Symbol('InvitationsOption')
