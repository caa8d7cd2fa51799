import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/actor.js'
import { Quotas } from '../../../domain/quotas.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import {
  Database,
  UnitOfWork,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import { UserService } from '../../people/users/index.js'
import { linkifiersChanged } from './linkifier-events.js'
import { LinkifierRepository, type LinkifierRow } from './linkifier-repository.js'
import { invalidField, requireUsableLinkifier } from './linkifier-rules.js'
import type { Linkifier } from './linkifier-schemas.js'

/** Manages the linkifiers of an organization. */
@perServer()
export class LinkifierService {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(LinkifierRepository) private readonly linkifiers: LinkifierRepository,
    @inject(UserService) private readonly users: UserService,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  async list(scope: OrganizationScope): Promise<Linkifier[]> {
    return (await this.linkifiers.list(scope)).map(({ id, pattern, url_template }) => ({
      id,
      pattern,
      url_template,
    }))
  }

  async listFor(actor: Actor): Promise<Linkifier[]> {
    return this.list(this.database.read(actor.organizationId))
  }

  /**
   * Adds a linkifier after all others.
   *
   * @returns its id.
   * @throws {ChatError} `BAD_REQUEST` or `VALIDATION_FAILED` if it is invalid or already exists.
   */
  async add(actor: Actor, pattern: string, urlTemplate: string): Promise<number> {
    requireUsableLinkifier(pattern, urlTemplate)
    return this.unitOfWork.runFor(actor, async (tx) => {
      const known = await this.linkifiers.list(tx)
      requireUnused(known, pattern, undefined)
      this.quotas.require('linkifiersPerOrganization', known.length + 1)
      const position = Math.max(-1, ...known.map((linkifier) => linkifier.position)) + 1
      const id = await this.linkifiers.insert(tx, { pattern, url_template: urlTemplate, position })
      await this.#announce(tx)
      return id
    })
  }

  /** @throws {ChatError} `BAD_REQUEST` or `VALIDATION_FAILED` if it is invalid or not found. */
  async update(actor: Actor, id: number, pattern: string, urlTemplate: string): Promise<void> {
    requireUsableLinkifier(pattern, urlTemplate)
    await this.unitOfWork.runFor(actor, async (tx) => {
      const known = await this.linkifiers.list(tx)
      requireExisting(known, id)
      requireUnused(known, pattern, id)
      await this.linkifiers.update(tx, id, { pattern, url_template: urlTemplate })
      await this.#announce(tx)
    })
  }

  /** @throws {ChatError} `BAD_REQUEST` if it does not exist. */
  async remove(actor: Actor, id: number): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      requireExisting(await this.linkifiers.list(tx), id)
      await this.linkifiers.delete(tx, id)
      await this.#announce(tx)
    })
  }

  /** @throws {ChatError} `BAD_REQUEST` unless `ids` names every linkifier exactly once. */
  async reorder(actor: Actor, ids: readonly number[]): Promise<void> {
    const requestedIds = new Set(ids)
    if (requestedIds.size !== ids.length) {
      throw badRequest('The ordered list must not contain duplicated linkifiers')
    }
    await this.unitOfWork.runFor(actor, async (tx) => {
      const known = await this.linkifiers.list(tx)
      if (known.length !== ids.length || !known.every(({ id }) => requestedIds.has(id))) {
        throw badRequest('The ordered list must enumerate all existing linkifiers exactly once')
      }
      await this.linkifiers.reorder(tx, ids)
      await this.#announce(tx)
    })
  }

  async #announce(tx: Transaction): Promise<void> {
    const audienceId = await this.users.activeAudience(tx)
    tx.emit(linkifiersChanged({ audienceId }, { realm_linkifiers: await this.list(tx) }))
  }
}

function requireExisting(known: readonly LinkifierRow[], id: number): void {
  if (!known.some((linkifier) => linkifier.id === id)) throw badRequest('Linkifier not found.')
}

function requireUnused(
  known: readonly LinkifierRow[],
  pattern: string,
  exceptId: number | undefined,
): void {
  if (!known.some((linkifier) => linkifier.pattern === pattern && linkifier.id !== exceptId)) return
  throw invalidField('__all__', 'Realm filter with this Realm and Pattern already exists.')
}
