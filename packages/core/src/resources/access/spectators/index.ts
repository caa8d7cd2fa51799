import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { type ServerFacts, ServerFactsToken } from '../../../kernel/server-facts.js'
import { Database } from '../../../storage/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { SpectatorRepository } from './spectator-repository.js'

/** Checks which organizations have channels that spectators can read. */
@perServer()
export class Spectators {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(SpectatorRepository) private readonly channels: SpectatorRepository,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * Whether the server and the organization allow spectators, and there is a web-public channel.
   */
  async admits(organizationId: number): Promise<boolean> {
    if (!this.facts.webPublicChannels) return false
    const { settings } = await this.organizations.require(organizationId)
    if (!settings.enable_spectator_access) return false
    return this.channels.hasWebPublicChannel(this.database.read(organizationId))
  }
}
