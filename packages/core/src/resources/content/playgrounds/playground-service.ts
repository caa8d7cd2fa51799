import { inject } from 'tsyringe'

import { createdValues, deletedValues } from '../../../domain/organizations/audit-actions.js'
import { Quotas } from '../../../domain/quotas.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { type OrganizationScope, type Transaction, UnitOfWork } from '../../../storage/index.js'
import {
  OrganizationService,
  type SharedValue,
  SharedValues,
} from '../../organization/organizations/index.js'
import { UserService } from '../../people/users/index.js'
import { type Playground, playgroundsChanged } from './playground-events.js'
import { languagePattern, type NewPlayground, requireValidPlayground } from './playground-rules.js'
import { playgrounds } from './playgrounds-table.js'

/** The code playgrounds of an organization. Administrators manage them. */
@perServer()
export class PlaygroundService {
  readonly #playgroundList: SharedValue<Playground[]>

  constructor(
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserService) private readonly users: UserService,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(SharedValues) shared: SharedValues,
  ) {
    this.#playgroundList = shared.define('playgrounds', {
      load: async (scope) => {
        const rows = await scope.rows(playgrounds).list({}, 'id')
        return rows.map(({ id, name, pygments_language, url_template }) => ({
          id,
          name,
          pygments_language,
          url_template,
        }))
      },
      changedBy: [playgroundsChanged],
    })
  }

  /** All playgrounds of the organization, oldest first. */
  list(scope: OrganizationScope): Promise<Playground[]> {
    return this.#playgroundList.in(scope)
  }

  /**
   * @param actor an administrator.
   * @returns the new playground's id.
   * @throws {ChatError} `BAD_REQUEST` if the language contains characters that do not occur in
   *   lexer names.
   * @throws {ChatError} `VALIDATION_FAILED` if a text is blank, the template is invalid or does not
   *   have exactly the variable `code`, or a playground of that language and name already exists.
   */
  async add(actor: Actor, playground: NewPlayground): Promise<number> {
    const { pygments_language, name } = playground
    if (!languagePattern.test(pygments_language)) {
      throw badRequest('PLAYGROUND_LANGUAGE_INVALID')
    }
    return this.unitOfWork.runFor(actor, async (tx) => {
      const isTaken = await tx.rows(playgrounds).has({ pygments_language, name })
      requireValidPlayground(playground, isTaken)
      const present = await tx.rows(playgrounds).count()
      this.quotas.require('playgroundsPerOrganization', present + 1)
      const id = await tx.rows(playgrounds).insert(playground)
      const { url_template } = playground
      const changes = createdValues({ name, pygments_language, url_template })
      tx.audit({ action: 'playground.added', objectId: id, changes })
      await this.#announce(tx)
      return id
    })
  }

  /**
   * Removes a playground, and resets the default language of code blocks if the playground provided
   * it.
   *
   * @param actor an administrator.
   * @throws {ChatError} `BAD_REQUEST` if there is no such playground.
   */
  async remove(actor: Actor, id: number): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const playground = await tx.rows(playgrounds).find({ id })
      if (playground === undefined || (await tx.rows(playgrounds).delete({ id })) === 0) {
        throw badRequest('PLAYGROUND_UNKNOWN')
      }
      const { name, pygments_language, url_template } = playground
      const changes = deletedValues({ name, pygments_language, url_template })
      tx.audit({ action: 'playground.removed', objectId: id, changes })
      await this.#announce(tx)
      const { settings } = await this.organizations.require(tx.organizationId)
      if (settings.default_code_block_language !== playground.pygments_language) return
      const audienceId = await this.users.activeAudience(tx)
      await this.organizations.changeSettings(
        tx,
        { audienceId },
        { default_code_block_language: '' },
      )
    })
  }

  async #announce(tx: Transaction): Promise<void> {
    const audienceId = await this.users.activeAudience(tx)
    tx.emit(playgroundsChanged({ audienceId }, { realm_playgrounds: await this.list(tx) }))
  }
}
