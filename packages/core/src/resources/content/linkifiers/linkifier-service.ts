import { inject } from 'tsyringe'

import {
  changesBetween,
  createdValues,
  deletedValues,
} from '../../../domain/organizations/audit-actions.js'
import { Quotas } from '../../../domain/quotas.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest, namedText } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { instructionsOf } from '../../../markdown/index.js'
import {
  Database,
  type OrganizationScope,
  type Transaction,
  UnitOfWork,
} from '../../../storage/index.js'
import { UserService } from '../../people/users/index.js'
import { type Linkifier, linkifiersChanged } from './linkifier-events.js'
import { invalidField, requireUsableLinkifier } from './linkifier-rules.js'
import { type LinkifierRow, linkifiers } from './linkifiers-table.js'

/** Manages the linkifiers of an organization. */
@perServer()
export class LinkifierService {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UserService) private readonly users: UserService,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  async list(scope: OrganizationScope): Promise<Linkifier[]> {
    return (await scope.rows(linkifiers).list({}, 'position', 'id')).map(
      ({ id, pattern, url_template }) => ({
        id,
        pattern,
        url_template,
      }),
    )
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
      const known = await tx.rows(linkifiers).list({}, 'position', 'id')
      requireUnused(known, pattern, undefined)
      this.quotas.require('linkifiersPerOrganization', known.length + 1)
      this.#requireInstructions(known, pattern)
      const position = Math.max(-1, ...known.map((linkifier) => linkifier.position)) + 1
      const id = await tx.rows(linkifiers).insert({ pattern, url_template: urlTemplate, position })
      const changes = createdValues({ pattern, url_template: urlTemplate })
      tx.audit({ action: 'linkifier.added', objectId: id, changes })
      await this.#announce(tx)
      return id
    })
  }

  /** @throws {ChatError} `BAD_REQUEST` or `VALIDATION_FAILED` if it is invalid or not found. */
  async update(actor: Actor, id: number, pattern: string, urlTemplate: string): Promise<void> {
    requireUsableLinkifier(pattern, urlTemplate)
    await this.unitOfWork.runFor(actor, async (tx) => {
      const known = await tx.rows(linkifiers).list({}, 'position', 'id')
      const linkifier = requireExisting(known, id)
      requireUnused(known, pattern, id)
      if (pattern !== linkifier.pattern) {
        const others = known.filter((other) => other.id !== id)
        this.#requireInstructions(others, pattern)
      }
      const values = { pattern, url_template: urlTemplate }
      await tx.rows(linkifiers).update({ id }, values)
      const changes = changesBetween<LinkifierRow>(linkifier, values)
      tx.audit({ action: 'linkifier.updated', objectId: id, changes })
      await this.#announce(tx)
    })
  }

  /** @throws {ChatError} `BAD_REQUEST` if it does not exist. */
  async remove(actor: Actor, id: number): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const { pattern, url_template } = requireExisting(
        await tx.rows(linkifiers).list({}, 'position', 'id'),
        id,
      )
      await tx.rows(linkifiers).delete({ id })
      const changes = deletedValues({ pattern, url_template })
      tx.audit({ action: 'linkifier.removed', objectId: id, changes })
      await this.#announce(tx)
    })
  }

  /** @throws {ChatError} `BAD_REQUEST` unless `ids` names every linkifier exactly once. */
  async reorder(actor: Actor, ids: readonly number[]): Promise<void> {
    const requestedIds = new Set(ids)
    if (requestedIds.size !== ids.length) {
      throw badRequest('LINKIFIER_ORDER_WITH_DUPLICATES')
    }
    await this.unitOfWork.runFor(actor, async (tx) => {
      const known = await tx.rows(linkifiers).list({}, 'position', 'id')
      if (known.length !== ids.length || !known.every(({ id }) => requestedIds.has(id))) {
        throw badRequest('LINKIFIER_ORDER_INCOMPLETE')
      }
      await tx.rows(linkifiers).reorder(ids)
      tx.audit({ action: 'linkifier.reordered' })
      await this.#announce(tx)
    })
  }

  /** Every message is searched for all of them together. */
  #requireInstructions(others: readonly LinkifierRow[], pattern: string): void {
    const sizes = [pattern, ...others.map((other) => other.pattern)].map(instructionsOf)
    const sum = sizes.reduce((total, size) => total + size, 0)
    this.quotas.require('linkifierInstructionsPerOrganization', sum)
  }

  async #announce(tx: Transaction): Promise<void> {
    const audienceId = await this.users.activeAudience(tx)
    tx.emit(linkifiersChanged({ audienceId }, { realm_linkifiers: await this.list(tx) }))
  }
}

function requireExisting(known: readonly LinkifierRow[], id: number): LinkifierRow {
  const found = known.find((linkifier) => linkifier.id === id)
  if (found === undefined) throw badRequest('LINKIFIER_UNKNOWN')
  return found
}

function requireUnused(
  known: readonly LinkifierRow[],
  pattern: string,
  exceptId: number | undefined,
): void {
  if (!known.some((linkifier) => linkifier.pattern === pattern && linkifier.id !== exceptId)) return
  throw invalidField('__all__', namedText('LINKIFIER_PATTERN_TAKEN'))
}
