import { inject } from 'tsyringe'

import { badRequest } from '../../errors/index.js'
import { perServer } from '../../kernel/per-server.js'
import { OrganizationService } from '../organizations/index.js'
import { externalIdOf } from './external-identity.js'

/** Where the application names one of its users. */
export interface OrganizationReference {
  /** The `subdomain` of the user's organization. @default the only organization */
  readonly organization?: string
}

/** Finds out whom the application means by its own id of a user. */
@perServer()
export class ExternalReferences {
  constructor(@inject(OrganizationService) private readonly organizations: OrganizationService) {}

  /**
   * @param call the name of the application's call, for messages.
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
   * @throws {TypeError} if `given` is neither a string of 1 to 190 characters nor an integer.
   */
  async resolve(
    call: string,
    given: string | number,
    { organization }: OrganizationReference,
  ): Promise<{ readonly organizationId: number; readonly externalId: string }> {
    const externalId = externalIdOf(given)
    if (externalId === undefined) {
      throw new TypeError(
        `${call}: externalId must be a string of 1 to 190 characters or an integer`,
      )
    }
    const found =
      organization === undefined
        ? await this.organizations.findOnly()
        : await this.organizations.findBySubdomain(organization)
    if (found === undefined) throw badRequest('No such organization')
    return { organizationId: found.id, externalId }
  }
}
