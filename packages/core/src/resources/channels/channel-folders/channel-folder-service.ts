import { inject } from 'tsyringe'

import { changesBetween, createdValues } from '../../../domain/organizations/audit-actions.js'
import { Quotas } from '../../../domain/quotas.js'
import { foldCase } from '../../../domain/texts/folding.js'
import { invalidCharacterPosition } from '../../../domain/texts/invalid-characters.js'
import { type Actor, creatorIdOf } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { type Clock, nowSeconds } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import {
  Database,
  type OrganizationScope,
  type Transaction,
  UnitOfWork,
} from '../../../storage/index.js'
import { type SharedValue, SharedValues } from '../../organization/organizations/index.js'
import { UserService } from '../../people/users/index.js'
import { type DescriptionRenderer, DescriptionRendererToken } from '../channels/index.js'
import {
  type ChannelFolder,
  channelFolderAdded,
  type ChannelFolderChange,
  channelFoldersReordered,
  channelFolderUpdated,
} from './channel-folder-events.js'
import { ChannelFolderRepository } from './channel-folder-repository.js'
import { type ChannelFolderRow, channelFolders } from './channel-folders-table.js'

/** The changes to a folder; absent properties keep their values. */
export interface ChannelFolderChanges {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly isArchived?: boolean | undefined
}

/** Manages the folders of an organization's channels. */
@perServer()
export class ChannelFolderService {
  readonly #folderList: SharedValue<ChannelFolder[]>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(ChannelFolderRepository) private readonly folders: ChannelFolderRepository,
    @inject(UserService) private readonly users: UserService,
    @inject(DescriptionRendererToken) private readonly renderer: DescriptionRenderer,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(SharedValues) shared: SharedValues,
  ) {
    this.#folderList = shared.define('channel_folders', {
      load: async (scope) =>
        (await scope.rows(channelFolders).list({}, 'position', 'id')).map(channelFolder),
      changedBy: [channelFolderAdded, channelFolderUpdated, channelFoldersReordered],
    })
  }

  /** All folders in display order. */
  list(scope: OrganizationScope): Promise<ChannelFolder[]> {
    return this.#folderList.in(scope)
  }

  async listFor(actor: Actor, includesArchived: boolean): Promise<ChannelFolder[]> {
    const folders = await this.list(this.database.read(actor.organizationId))
    return includesArchived ? folders : folders.filter((folder) => !folder.is_archived)
  }

  /**
   * @param actor an administrator.
   * @returns the new folder's id.
   * @throws {ChatError} `BAD_REQUEST` if the name is invalid or taken, or there are too many
   *   folders or too long descriptions.
   */
  async create(actor: Actor, name: string, description: string): Promise<number> {
    requireFolderName(name)
    return this.unitOfWork.runFor(actor, async (tx) => {
      const all = await this.folders.lock(tx)
      requireFree(all, name, undefined)
      this.quotas.require('channelFoldersPerOrganization', all.length + 1)
      const row = await this.folders.insert(tx, {
        name,
        description,
        rendered_description: await this.#render(tx, actor, description),
        creator_id: creatorIdOf(actor),
        created_at_seconds: nowSeconds(this.clock),
        is_archived: false,
      })
      await this.#requireQuota(tx, description)
      const changes = createdValues({ name })
      tx.audit({ action: 'channel_folder.created', objectId: row.id, changes })
      const audienceId = await this.users.activeAudience(tx)
      tx.emit(channelFolderAdded({ audienceId }, { channel_folder: channelFolder(row) }))
      return row.id
    })
  }

  /**
   * @param actor an administrator.
   * @throws {ChatError} `BAD_REQUEST` if there is no such folder, a name is invalid or taken, a
   *   folder with channels would be archived, or the descriptions are too long.
   */
  async update(actor: Actor, id: number, changes: ChannelFolderChanges): Promise<void> {
    const { name, description, isArchived } = changes
    await this.unitOfWork.runFor(actor, async (tx) => {
      const all = await this.folders.lock(tx)
      const folder = all.find((one) => one.id === id)
      if (folder === undefined) throw noSuchFolder()
      const applied: ChannelFolderChange[] = []
      if (name !== undefined && name !== folder.name) {
        requireFolderName(name)
        requireFree(all, name, id)
        applied.push({ name })
      }
      if (description !== undefined && description !== folder.description) {
        const rendered_description = await this.#render(tx, actor, description)
        applied.push({ description, rendered_description })
      }
      if (isArchived !== undefined && isArchived !== folder.is_archived) {
        if (isArchived) await this.#requireUnused(tx, id)
        applied.push({ is_archived: isArchived })
      }
      if (applied.length === 0) return
      const columns = applied.reduce<Partial<ChannelFolderRow>>(
        (all, change) => ({ ...all, ...change }),
        {},
      )
      await this.folders.update(tx, id, columns)
      await this.#requireQuota(tx, columns.description)
      tx.audit({
        action: 'channel_folder.updated',
        objectId: id,
        changes: changesBetween(folder, columns, ['name', 'description', 'is_archived']),
      })
      const audienceId = await this.users.activeAudience(tx)
      for (const data of applied) {
        tx.emit(channelFolderUpdated({ audienceId }, { channel_folder_id: id, data }))
      }
    })
  }

  /**
   * @param actor an administrator.
   * @param ids all folders, including archived ones, in their new order.
   * @throws {ChatError} `BAD_REQUEST` unless `ids` names every folder exactly once.
   */
  async reorder(actor: Actor, ids: readonly number[]): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const listed = new Set(ids)
      const all = await this.folders.lock(tx)
      const isComplete = all.length === ids.length && all.every(({ id }) => listed.has(id))
      if (!isComplete) throw badRequest('CHANNEL_ORDER_INVALID')
      await tx.rows(channelFolders).reorder(ids)
      tx.audit({ action: 'channel_folder.reordered' })
      const audienceId = await this.users.activeAudience(tx)
      tx.emit(channelFoldersReordered({ audienceId }, { order: ids }))
    })
  }

  /**
   * Checks that a folder exists, and locks it until `tx` ends, so that a channel can be put into
   * it.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such folder.
   */
  async requireWithin(tx: Transaction, id: number): Promise<void> {
    if (!(await this.folders.lockShared(tx, id))) throw noSuchFolder()
  }

  async #requireUnused(tx: Transaction, id: number): Promise<void> {
    if (!(await this.folders.isUsed(tx, id))) return
    throw badRequest('CHANNEL_FOLDER_NOT_EMPTY')
  }

  /** @param description that was stored, if any. */
  async #requireQuota(tx: Transaction, description: string | undefined): Promise<void> {
    if (!description) return
    this.quotas.require('descriptionBytesPerList', await this.folders.descriptionBytes(tx))
  }

  async #render(tx: Transaction, actor: Actor, description: string): Promise<string> {
    if (description === '') return ''
    return this.renderer.renderDescription(tx, actor, description)
  }
}

function noSuchFolder(): Error {
  return badRequest('CHANNEL_FOLDER_ID_INVALID')
}

function nameInUse(): Error {
  return badRequest('CHANNEL_FOLDER_NAME_TAKEN')
}

/** @throws {ChatError} `BAD_REQUEST` if the name is invalid. */
export function requireFolderName(name: string): void {
  if (name === '') throw badRequest('CHANNEL_FOLDER_NAME_EMPTY')
  const position = invalidCharacterPosition(name)
  if (position === undefined) return
  throw badRequest('CHANNEL_FOLDER_NAME_WRONG_CHARACTER', { position })
}

function requireFree(
  all: readonly ChannelFolderRow[],
  name: string,
  exceptId: number | undefined,
): void {
  const key = foldCase(name)
  if (all.some((folder) => folder.name_key === key && folder.id !== exceptId)) throw nameInUse()
}

function channelFolder(row: ChannelFolderRow): ChannelFolder {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    rendered_description: row.rendered_description,
    order: row.position,
    creator_id: row.creator_id,
    date_created: row.created_at_seconds,
    is_archived: row.is_archived,
  }
}
