import { inject } from 'tsyringe'

import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnknownSecretError } from '../../../kernel/secret-box.js'
import { Database, UnitOfWork } from '../../../storage/index.js'
import { eachOrganization, OrganizationRepository } from '../../organization/organizations/index.js'
import { SealedKeyRepository, ServerSecret } from '../../people/credentials/index.js'
import { InvitationLinks } from './invitation-links.js'
import { InvitationRepository } from './invitation-repository.js'
import type { InvitationRow } from './invitations-table.js'

const rowsPerBatch = 100

/**
 * Encrypts the tokens of invitations under the current secret that are encrypted under another one.
 * A token whose secret is lost is removed: its link still works, but is no longer shown.
 */
@perServer()
export class InvitationResealing implements BackgroundWork {
  readonly name = 'Encrypting invitations under the current secret'
  readonly intervalMilliseconds = 15 * 60 * 1000

  constructor(
    @inject(ServerSecret) private readonly secret: ServerSecret,
    @inject(SealedKeyRepository) private readonly sealedKeys: SealedKeyRepository,
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(InvitationRepository) private readonly invitations: InvitationRepository,
    @inject(InvitationLinks) private readonly links: InvitationLinks,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  async round(round: Round): Promise<void> {
    const { currentId } = this.secret
    const ids = await this.sealedKeys.listSecretIds()
    if (ids.every((id) => id === currentId) || !(await this.secret.isNewest())) return
    await eachOrganization(this.organizations, round, async (organizationId) => {
      let afterId = 0
      while (!round.stopping.aborted) {
        const scope = this.database.read(organizationId)
        const rows = await this.invitations.listSealedByOthers(
          scope,
          currentId,
          afterId,
          rowsPerBatch,
        )
        const last = rows.at(-1)
        if (last === undefined) return
        await this.#reseal(organizationId, rows)
        afterId = last.id
      }
    })
  }

  async #reseal(organizationId: number, rows: readonly InvitationRow[]): Promise<void> {
    await this.unitOfWork.run(organizationId, async (tx) => {
      for (const row of rows) {
        const sealed = this.#resealed(row)
        if (sealed !== undefined) await this.invitations.replaceSealed(tx, row, sealed)
      }
    })
  }

  /** @returns null if the secret is lost, undefined if it is only not configured. */
  #resealed(row: InvitationRow): string | null | undefined {
    try {
      const token = this.links.reveal(row)
      return token === undefined ? undefined : this.links.toStored(token).token_sealed
    } catch (error) {
      if (!(error instanceof UnknownSecretError)) throw error
      return this.secret.isLost(error.secretId) ? null : undefined
    }
  }
}
