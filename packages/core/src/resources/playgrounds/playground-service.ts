import { inject } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import { badRequest } from '../../errors/index.js'
import { perServer } from '../../kernel/per-server.js'
import { UnitOfWork, type OrganizationScope, type Transaction } from '../../storage/index.js'
import { OrganizationService } from '../organizations/index.js'
import { UserService } from '../users/index.js'
import { playgroundsChanged } from './playground-events.js'
import { PlaygroundRepository } from './playground-repository.js'
import { languagePattern, requireValidPlayground, type NewPlayground } from './playground-rules.js'
import type { Playground } from './playground-schemas.js'

/** The sites where the organization's users run code blocks. Administrators choose them. */
@perServer()
export class PlaygroundService {
  constructor(
    @inject(PlaygroundRepository) private readonly playgrounds: PlaygroundRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserService) private readonly users: UserService,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /** All of the organization's playgrounds, oldest first. */
  async list(scope: OrganizationScope): Promise<Playground[]> {
    const rows = await this.playgrounds.list(scope)
    return rows.map(({ id, name, pygments_language, url_template }) => ({
      id,
      name,
      pygments_language,
      url_template,
    }))
  }

  /**
   * @param actor an administrator.
   * @returns the new playground's id.
   * @throws {ChatError} `BAD_REQUEST` if the language has other characters than names of lexers.
   * @throws {ChatError} `VALIDATION_FAILED` if a text is blank, the template is none or has not
   *   exactly the variable `code`, or there is a playground of that language and name.
   */
  async add(actor: Actor, playground: NewPlayground): Promise<number> {
    const { pygments_language, name } = playground
    if (!languagePattern.test(pygments_language)) {
      throw badRequest('Invalid characters in pygments language')
    }
    return this.unitOfWork.runFor(actor, async (tx) => {
      const isTaken = await this.playgrounds.has(tx, pygments_language, name)
      requireValidPlayground(playground, isTaken)
      const id = await this.#insert(tx, playground)
      await this.#announce(tx)
      return id
    })
  }

  /**
   * Also resets the default language of code blocks if it was the playground's.
   *
   * @param actor an administrator.
   * @throws {ChatError} `BAD_REQUEST` if there is no such playground.
   */
  async remove(actor: Actor, id: number): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const playground = await this.playgrounds.find(tx, id)
      if (playground === undefined || !(await this.playgrounds.delete(tx, id))) {
        throw badRequest('Invalid playground')
      }
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

  async #insert(tx: Transaction, playground: NewPlayground): Promise<number> {
    try {
      return await this.playgrounds.insert(tx, playground)
    } catch (error) {
      // Another administrator added the same one at the same moment.
      if (tx.dialect.isUniqueViolation(error)) requireValidPlayground(playground, true)
      throw error
    }
  }

  async #announce(tx: Transaction): Promise<void> {
    const audienceId = await this.users.activeAudience(tx)
    tx.emit(playgroundsChanged({ audienceId }, { realm_playgrounds: await this.list(tx) }))
  }
}
