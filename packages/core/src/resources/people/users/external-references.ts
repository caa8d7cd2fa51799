import { inject } from 'tsyringe'

import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { externalIdOf } from './external-identity.js'

/** The organization of a user id of the application. */
export interface OrganizationReference {
  /** The `subdomain` of the user's organization. @default the only organization */
  readonly organization?: string
}

/** Resolves the application's ids of users. */
@perServer()
export class ExternalReferences {
  constructor(@inject(OrganizationService) private readonly organizations: OrganizationService) {}

  /**
   * @param call the name of the called method, for messages.
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
   * @throws {TypeError} if `applicationUserId` is neither a string of 1 to 190 characters nor an
   *   integer.
   */
  async resolve(
    call: string,
    applicationUserId: string | number,
    options: OrganizationReference,
  ): Promise<{ readonly organizationId: number; readonly externalId: string }> {
    const externalId = this.requireId(call, applicationUserId)
    return { organizationId: await this.organizationId(options), externalId }
  }

  /** @throws {TypeError} as {@link resolve}. */
  requireId(call: string, applicationUserId: unknown): string {
    const externalId = externalIdOf(applicationUserId)
    if (externalId !== undefined) return externalId
    throw new TypeError(`${call}: externalId must be a string of 1 to 190 characters or an integer`)
  }

  /** @throws {ChatError} `BAD_REQUEST` if there is no such organization. */
  async organizationId({ organization }: OrganizationReference): Promise<number> {
    const found =
      organization === undefined
        ? await this.organizations.findOnly()
        : await this.organizations.findBySubdomain(organization)
    if (found === undefined) throw badRequest('No such organization')
    return found.id
  }
}
