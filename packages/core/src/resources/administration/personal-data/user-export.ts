import { inject } from 'tsyringe'

import { flagNames } from '../../../domain/messages/message-flags.js'
import { badRequest } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import { Database, UnitOfWork, type OrganizationScope } from '../../../storage/index.js'
import { UnwrittenMessages } from '../../channels/unwritten-messages/index.js'
import { ConversationRepository } from '../../messages/objects/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import {
  ExternalReferences,
  type AccountReference,
  type OrganizationReference,
  type UserRow,
} from '../../people/users/index.js'
import { PresenceMemory } from '../../personal/presence/index.js'
import { recordTypes, type RecordType } from './export-records.js'
import { ExportRepository, type ExportedRow } from './export-repository.js'
import { ExportedFiles } from './exported-files.js'
import { PersonalRowRepository } from './personal-row-repository.js'

/** The optional content of an export. */
export interface ExportOptions {
  /**
   * Whether the bytes of the user's files and picture are included, as base64.
   *
   * @default false
   */
  readonly fileContents?: boolean
}

const call = 'chat.users.export'
/** Of the format; increases when records change in a way that readers notice. */
const formatVersion = 1
const rowsPerPage = 500
/** A message may have some hundred kilobytes, with its history. */
const messagesPerPage = 50
const groupColumns: ReadonlySet<string> = new Set(['group_id'])

/** One line of an export. */
export interface ExportedRecord {
  readonly type: string
  readonly [column: string]: unknown
}

/** Exports the data that the chat stores about a user, in pages, without a transaction. */
@perServer()
export class UserExport {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ExternalReferences) private readonly references: ExternalReferences,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ExportRepository) private readonly rows: ExportRepository,
    @inject(PersonalRowRepository) private readonly personalRows: PersonalRowRepository,
    @inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @inject(PresenceMemory) private readonly presences: PresenceMemory,
    @inject(UnwrittenMessages) private readonly unwrittenMessages: UnwrittenMessages,
    @inject(ExportedFiles) private readonly files: ExportedFiles,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** The records, in pages that are read when they are requested. */
  async *pages(
    reference: AccountReference,
    options: ExportOptions & OrganizationReference = {},
  ): AsyncGenerator<readonly ExportedRecord[], void, undefined> {
    const { fileContents = false } = options
    const { organizationId, key } = await this.references.resolve(call, reference, options)
    const scope = this.database.read(organizationId)
    const user = await this.references.find(scope, key)
    if (user === undefined) throw badRequest('USER_UNKNOWN')
    await this.unitOfWork.run(
      organizationId,
      async (tx) => tx.audit({ action: 'user.exported', objectId: user.id }),
      { skipWriteLock: true },
    )
    await this.presences.store(organizationId)
    await this.unwrittenMessages.write({ organizationId, userId: user.id })

    let count = 1
    yield [await this.#header(user)]
    for (const type of recordTypes) {
      for await (const rows of this.#rowsOf(scope, type, user.id)) {
        const page = await this.#recordsOf(scope, type, rows)
        count += page.length
        yield page
        if (type.type !== 'file' || !fileContents) continue
        for (const row of rows) {
          for await (const chunk of this.files.chunksOf(organizationId, row)) {
            count += 1
            yield [chunk]
          }
        }
      }
    }
    if (fileContents) {
      for await (const chunk of this.files.pictureOf(user)) {
        count += 1
        yield [chunk]
      }
    }
    yield [{ type: 'end', records: count + 1 }]
  }

  async #header(user: UserRow): Promise<ExportedRecord> {
    const { id, subdomain, name } = await this.organizations.require(user.organization_id)
    return {
      type: 'export',
      version: formatVersion,
      exported_at_seconds: nowSeconds(this.clock),
      user_id: user.id,
      organization: { id, subdomain, name },
    }
  }

  async *#rowsOf(
    scope: OrganizationScope,
    type: RecordType,
    userId: number,
  ): AsyncGenerator<readonly ExportedRow[], void, undefined> {
    if (type.isScanned) {
      const { owner, table } = type
      for await (const ids of this.personalRows.idsWhere(scope, table, '?? = ?', [owner, userId])) {
        for (const chunk of chunksOf(ids, rowsPerPage)) {
          yield await this.rows.listByIds(scope, type, chunk)
        }
      }
      return
    }
    const limit = type.type === 'message' ? messagesPerPage : rowsPerPage
    let page: readonly ExportedRow[] = []
    do {
      page = await this.rows.page(scope, type, userId, page.at(-1), limit)
      if (page.length > 0) yield page
    } while (page.length === limit)
  }

  async #recordsOf(
    scope: OrganizationScope,
    { type, columns, json }: RecordType,
    rows: readonly ExportedRow[],
  ): Promise<ExportedRecord[]> {
    const idsIn = (column: string): number[] => [
      ...new Set(rows.map((row) => row[column]).filter((id) => typeof id === 'number')),
    ]
    const isOfGroups = columns.some((column) => groupColumns.has(column))
    const channels = await this.rows.names(scope, 'channels', idsIn('channel_id'))
    const groups = isOfGroups
      ? await this.rows.names(scope, 'user_groups', idsIn('group_id'))
      : new Map<number, string | null>()
    const members = await this.conversations.members(scope, idsIn('recipient_id'))
    return rows.map((row) => {
      const record: Record<string, unknown> = {}
      for (const column of columns) {
        const value = row[column]
        // A draft has a type of its own.
        const name = column === 'type' ? `${type}_type` : column
        const isJson = json.includes(column) && typeof value === 'string'
        record[name] = isJson ? JSON.parse(value) : value
        if (column === 'channel_id') record['channel_name'] = nameOf(channels, value)
        if (column === 'group_id') record['group_name'] = nameOf(groups, value)
        if (column === 'recipient_id') record['participant_ids'] = listOf(members, value)
        if (column === 'flags') record['flags'] = flagNames(Number(value))
      }
      return { type, ...record }
    })
  }
}

function nameOf(names: ReadonlyMap<number, string | null>, id: unknown): string | null {
  return typeof id === 'number' ? (names.get(id) ?? null) : null
}

/** The participants of a direct conversation; undefined, which is left out, for a channel. */
function listOf(
  members: ReadonlyMap<number, readonly number[]>,
  id: unknown,
): readonly number[] | undefined {
  return typeof id === 'number' ? members.get(id) : undefined
}
