import type { SystemGroupName } from '../../../domain/organizations/organization-settings.js'
import type { ChannelRow } from '../../channels/channels/index.js'
import type { FirstChannelKey } from './first-contents.js'

/** The parameters of a new organization. */
export interface NewOrganization {
  /**
   * The part of the host name that identifies it; empty for the organization at the server's own
   * host.
   *
   * @default ''
   */
  readonly subdomain?: string
  /** At most 40 characters. */
  readonly name: string
  /** Its first user, who becomes an owner. */
  readonly owner: {
    readonly email: string
    readonly fullName: string
    /** The application's id of the user, as in `HostIdentity`. */
    readonly externalId?: string | number
    /** Password for `POST /fetch_api_key`; must satisfy the `passwordPolicy`. */
    readonly password?: string
  }
  /**
   * The type of the organization, as in `org_type`; schools start with stricter permissions.
   *
   * @default 0
   */
  readonly type?: number
  /**
   * Whom it is for, which decides the settings and the contents that it begins with: colleagues in
   * a `team`, customers and the staff that answers them (`support`), or customers who write about
   * things of the application (`comments`).
   *
   * @default 'team'
   */
  readonly preset?: 'team' | 'support' | 'comments'
  /**
   * The tag of its language (`default_language`), in which its first channels and messages are
   * written, if it is one of `texts.languages`.
   *
   * @default 'en'
   */
  readonly language?: string
}

/** A newly created organization. */
export interface CreatedOrganization {
  readonly organizationId: number
  readonly ownerId: number
}

/** An organization that exists now. */
export interface EnsuredOrganization {
  readonly organizationId: number
  /** False if there was an organization with this subdomain; nothing of it was changed. */
  readonly created: boolean
}

export interface FirstOwner {
  readonly email: string
  readonly fullName: string
  readonly externalId: string | null
  readonly passwordHash: string | null
  readonly language: string
}

/** An organization without messages. */
export interface EmptyOrganization extends CreatedOrganization {
  /** Undefined if it begins without channels. */
  readonly channels: FirstChannelRows | undefined
}

export type FirstChannelRows = ReadonlyMap<FirstChannelKey, ChannelRow>
export type SystemGroupIds = Readonly<Record<SystemGroupName, number>>
