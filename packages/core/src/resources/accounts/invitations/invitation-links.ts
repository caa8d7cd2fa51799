import { createHash } from 'node:crypto'

import { inject } from 'tsyringe'

import { apiUrl } from '../../../kernel/chat-address.js'
import { perServer } from '../../../kernel/per-server.js'
import { randomToken } from '../../../kernel/random.js'
import { UnknownSecretError } from '../../../kernel/secret-box.js'
import { ServerSecretToken, type Secrets } from '../../people/credentials/index.js'
import type { InvitationRow } from './invitations-table.js'
import { InvitationsOptionToken, type InvitationsOption } from './invitation-settings.js'

const tokenBytes = 24

/** A token as it is stored: found by its hash, and readable only with the server's secret. */
export type StoredToken = Pick<InvitationRow, 'token_hash'> & { token_sealed: string }

/** Creates, encrypts and decrypts the tokens of invitations, and builds links with them. */
@perServer()
export class InvitationLinks {
  constructor(
    @inject(ServerSecretToken) private readonly secrets: Secrets,
    @inject(InvitationsOptionToken) private readonly option: InvitationsOption,
  ) {}

  createToken(): string {
    return randomToken(tokenBytes)
  }

  toStored(token: string): StoredToken {
    return {
      token_hash: hashToken(token),
      token_sealed: this.secrets.box('invitations').seal(token),
    }
  }

  /**
   * @returns undefined if the invitation has ended.
   * @throws {UnknownSecretError} if the token is encrypted under a secret that is not configured.
   */
  reveal({ token_sealed }: Pick<InvitationRow, 'token_sealed'>): string | undefined {
    return token_sealed === null ? undefined : this.secrets.box('invitations').open(token_sealed)
  }

  /**
   * The link of an invitation.
   *
   * @param chatUrl the URL of the chat, such as `https://product.example/chat`.
   * @param subdomain that of the organization; empty for the only one.
   * @returns undefined if the token cannot be decrypted.
   */
  urlOf(
    invitation: Pick<InvitationRow, 'token_sealed'>,
    chatUrl: string,
    subdomain: string,
  ): string | undefined {
    try {
      const token = this.reveal(invitation)
      return token === undefined ? undefined : this.urlOfToken(token, chatUrl, subdomain)
    } catch (error) {
      if (error instanceof UnknownSecretError) return undefined
      throw error
    }
  }

  urlOfToken(token: string, chatUrl: string, subdomain: string): string {
    const { acceptUrl } = this.option
    if (acceptUrl === undefined) return apiUrl(chatUrl, `/accounts/join/${token}`)
    const url = new URL(acceptUrl, chatUrl)
    url.searchParams.set('invitation', token)
    if (subdomain !== '') url.searchParams.set('organization', subdomain)
    return url.href
  }
}

/** Tokens are random, so an unsalted hash reveals nothing, and one look-up finds the row. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
