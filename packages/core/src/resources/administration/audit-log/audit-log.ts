import { inject } from 'tsyringe'

import {
  auditActions,
  auditActorTypes,
  auditObjectTypes,
  type AuditAction,
  type AuditActorType,
  type AuditChanges,
  type AuditObjectType,
} from '../../../domain/organizations/audit-actions.js'
import { isApplication, type Actor } from '../../../domain/users/actor.js'
import type { CallOrigin } from '../../../domain/users/call-origin.js'
import { keysOf } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { Database, type AuditRow } from '../../../storage/index.js'
import {
  ExternalDirectory,
  ExternalReferences,
  type OrganizationReference,
} from '../../people/users/index.js'
import { AuditRepository, type AuditFilter } from './audit-repository.js'

/** One change of the audit trail, as the application reads it. */
export interface AuditLogEntry {
  /** Later changes have higher ids. */
  readonly id: number
  /** UNIX seconds. */
  readonly createdAtSeconds: number
  readonly action: AuditAction
  /**
   * The actor of the change: a user, the application's own code (`chat.asSystem`, `chat.users` and
   * the like, and the application's login), or the chat by itself.
   */
  readonly actorType: AuditActorType
  /** Null unless the actor is a user. */
  readonly actorId: number | null
  readonly actorExternalId: string | null
  readonly objectType: AuditObjectType
  /** Null if the action is not about one object of that type. */
  readonly objectId: number | null
  /** The user whom the change concerns; null for none. */
  readonly userId: number | null
  readonly userExternalId: string | null
  /** The values of the changed properties, before and after. */
  readonly changes: AuditChanges
  readonly via: CallOrigin['via']
  readonly clientAddress: string | null
  readonly clientName: string | null
}

/** Which changes `chat.audit` returns; absent properties select all. */
export interface AuditOptions extends OrganizationReference {
  readonly actions?: readonly AuditAction[]
  readonly actorType?: AuditActorType
  /** The chat's id of the user who has made the change. */
  readonly actorId?: number
  readonly objectType?: AuditObjectType
  readonly objectId?: number
  /** The chat's id of the user whom the change concerns. */
  readonly userId?: number
  /** UNIX seconds, inclusive. */
  readonly sinceSeconds?: number
  /** UNIX seconds, exclusive. */
  readonly untilSeconds?: number
  /** Only changes with lower ids, such as the last one that was read before. */
  readonly beforeId?: number
}

const call = 'chat.audit'
const entriesPerPage = 500

/** Reads the audit trail of organizations. */
@perServer()
export class AuditLog {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(AuditRepository) private readonly rows: AuditRepository,
    @inject(ExternalReferences) private readonly references: ExternalReferences,
    @inject(ExternalDirectory) private readonly directory: ExternalDirectory,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * The newest changes, newest first.
   *
   * @param actor an owner. Only the application gets external ids, unless administrators do.
   */
  async listFor(
    actor: Actor,
    filter: AuditFilter,
    beforeId: number | undefined,
    limit: number,
  ): Promise<readonly AuditLogEntry[]> {
    const showsExternalIds = isApplication(actor) || this.facts.externalIdsForAdministrators
    return this.#list(actor.organizationId, filter, beforeId, limit, showsExternalIds)
  }

  /** The same in pages, for the application. */
  async *pages(
    options: AuditOptions = {},
  ): AsyncGenerator<readonly AuditLogEntry[], void, undefined> {
    requireAuditOptions(options)
    const { organization, beforeId, ...filter } = options
    const organizationId = await this.references.organizationId({
      ...(organization !== undefined && { organization }),
    })
    let before = beforeId
    let page: readonly AuditLogEntry[] = []
    do {
      page = await this.#list(organizationId, filter, before, entriesPerPage, true)
      before = page.at(-1)?.id
      if (page.length > 0) yield page
    } while (page.length === entriesPerPage)
  }

  async #list(
    organizationId: number,
    filter: AuditFilter,
    beforeId: number | undefined,
    limit: number,
    showsExternalIds: boolean,
  ): Promise<readonly AuditLogEntry[]> {
    const scope = this.database.read(organizationId)
    const rows = await this.rows.list(scope, filter, beforeId, limit)
    const ids = rows.flatMap(({ actor_id, user_id }) => [actor_id, user_id])
    const userIds = [...new Set(ids.filter((id) => id !== null))]
    const externalIds =
      showsExternalIds && userIds.length > 0
        ? await this.directory.externalIdsOf(scope, userIds)
        : new Map<number, string>()
    return rows.map((row) => entryOf(row, externalIds))
  }
}

function entryOf(row: AuditRow, externalIds: ReadonlyMap<number, string>): AuditLogEntry {
  const externalIdOf = (id: number | null): string | null =>
    id === null ? null : (externalIds.get(id) ?? null)
  return {
    id: row.id,
    createdAtSeconds: row.created_at_seconds,
    action: row.action,
    actorType: row.actor_type,
    actorId: row.actor_id,
    actorExternalId: externalIdOf(row.actor_id),
    objectType: row.object_type,
    objectId: row.object_id,
    userId: row.user_id,
    userExternalId: externalIdOf(row.user_id),
    // The writer has stored this JSON.
    changes: row.changes === null ? {} : (JSON.parse(row.changes) as AuditChanges),
    via: row.via,
    clientAddress: row.client_address,
    clientName: row.client_name,
  }
}

/** @throws {TypeError} because applications in plain JavaScript are not type-checked. */
function requireAuditOptions(options: AuditOptions): void {
  const isOneOf = (values: readonly string[]) => (value: unknown) =>
    values.some((one) => one === value)
  const isAction = isOneOf(keysOf(auditActions))
  const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
    organization: (value) => typeof value === 'string',
    actions: (value) => Array.isArray(value) && value.every(isAction),
    actorType: isOneOf(auditActorTypes),
    actorId: Number.isSafeInteger,
    objectType: isOneOf(auditObjectTypes),
    objectId: Number.isSafeInteger,
    userId: Number.isSafeInteger,
    sinceSeconds: Number.isSafeInteger,
    untilSeconds: Number.isSafeInteger,
    beforeId: Number.isSafeInteger,
  }
  const values: Readonly<Record<string, unknown>> = { ...options }
  for (const [name, value] of Object.entries(values)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined
    if (check === undefined) throw new TypeError(`${call}: unknown property ${name}`)
    if (value !== undefined && !check(value)) throw new TypeError(`${call}: ${name} is invalid`)
  }
}
