import { inject } from 'tsyringe'

import { applicationActor, type Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, UnitOfWork, type Transaction } from '../../../storage/index.js'
import { ExternalDirectory, UserRepository } from '../../people/users/index.js'
import { ChannelAdministration, type ChannelChanges } from '../channel-administration/index.js'
import { usualChannelOptions, type NewChannelOptions } from '../channel-creation/index.js'
import { ChannelRepository, type ChannelRow } from '../channels/index.js'
import { isHistoryProtected } from '../message-permissions/index.js'
import { SubscribeService, UnsubscribeService } from '../subscriptions/index.js'
import { ApplicationChannelRepository } from './application-channel-repository.js'
import {
  checkChannel,
  requireChannelId,
  type ApplicationChannel,
  type CheckedChannel,
  type EnsuredChannel,
  type EnsureResult,
  type Subscribers,
} from './ensured-channel.js'

/** The channels that belong to things of the application, by the application's ids. */
@perServer()
export class ApplicationChannels {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(ApplicationChannelRepository) private readonly rows: ApplicationChannelRepository,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAdministration) private readonly administration: ChannelAdministration,
    @inject(SubscribeService) private readonly subscribing: SubscribeService,
    @inject(UnsubscribeService) private readonly unsubscribing: UnsubscribeService,
    @inject(ExternalDirectory) private readonly directory: ExternalDirectory,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  async find(
    organizationId: number,
    applicationId: string | number,
  ): Promise<ApplicationChannel | undefined> {
    const externalId = requireChannelId('chat.channels.find', applicationId)
    const row = await this.rows.find(this.database.read(organizationId), externalId)
    if (row === undefined) return undefined
    const { id, name, description, is_private, is_archived } = row
    return { id, externalId, name, description, isPrivate: is_private, isArchived: is_archived }
  }

  /** Creates the channel or changes the properties that differ, in one transaction. */
  async ensure(organizationId: number, channel: EnsuredChannel): Promise<EnsureResult> {
    const wanted = checkChannel(channel)
    const actor = applicationActor(organizationId)
    return this.unitOfWork.runFor(actor, async (tx) => {
      const subscriberIds =
        wanted.subscribers === undefined ? undefined : await this.#activeIds(tx, wanted.subscribers)
      const row = await this.rows.lock(tx, wanted.externalId)
      if (row === undefined) {
        const id = await this.#create(tx, actor, wanted, subscriberIds ?? [])
        return { id, created: true }
      }
      const { id } = row
      if (!row.is_archived || wanted.isArchived === false) {
        const changes = changesOf(row, wanted)
        if (Object.keys(changes).length > 0) {
          await this.administration.updateWithin(tx, actor, id, { ...noChanges, ...changes })
        }
        if (subscriberIds !== undefined) {
          await this.#setSubscribers(tx, actor, { id, name: wanted.name }, subscriberIds)
        }
      }
      return { id, created: false }
    })
  }

  async #create(
    tx: Transaction,
    actor: Actor,
    { name, description = '', externalId, ...wanted }: CheckedChannel,
    subscriberIds: readonly number[],
  ): Promise<number> {
    const options: NewChannelOptions = {
      ...usualChannelOptions,
      isPrivate: wanted.isPrivate ?? false,
      isDefault: wanted.isDefault ?? false,
      isHistoryShared: wanted.isHistoryShared,
      folderId: wanted.folderId,
    }
    const channel = { name, description }
    const id = await this.subscribing.createChannelWithin(
      tx,
      actor,
      channel,
      subscriberIds,
      options,
      wanted.announce === true ? 'everywhere' : 'nowhere',
    )
    await this.rows.setExternalId(tx, id, externalId)
    return id
  }

  async #setSubscribers(
    tx: Transaction,
    actor: Actor,
    { id, name }: Pick<ChannelRow, 'id' | 'name'>,
    wantedIds: readonly number[],
  ): Promise<void> {
    const wanted = new Set(wantedIds)
    const current = new Set(await this.channels.listReceiverIds(tx, id))
    const leaving = [...current].filter((userId) => !wanted.has(userId))
    const joining = wantedIds.filter((userId) => !current.has(userId))
    // An empty list would mean the actor.
    if (joining.length > 0) {
      await this.subscribing.subscribeWithin(tx, actor, {
        channels: [{ name, description: '', color: undefined }],
        principals: joining,
        areRefusalsFatal: true,
        sendsMessages: false,
        announcement: 'nowhere',
        // Not used, because the channel exists.
        options: usualChannelOptions,
      })
    }
    if (leaving.length > 0) {
      await this.unsubscribing.unsubscribeWithin(tx, actor, [name], leaving)
    }
  }

  /** @throws {ChatError} `BAD_REQUEST` if one of the users has no account. */
  async #activeIds(tx: Transaction, { userIds, externalIds }: Subscribers): Promise<number[]> {
    const found = await this.directory.idsOf(tx, externalIds)
    const ids = [...new Set([...userIds, ...found.values()])]
    const users = await this.users.findMany(tx, ids)
    if (found.size < externalIds.length || users.length < ids.length) {
      throw badRequest('USER_UNKNOWN')
    }
    return users.filter((user) => user.is_active).map(({ id }) => id)
  }
}

const noChanges: ChannelChanges = {
  name: undefined,
  description: undefined,
  isPrivate: undefined,
  isWebPublic: undefined,
  isHistoryShared: undefined,
  isDefault: undefined,
  retentionDays: undefined,
  isArchived: undefined,
  folderId: undefined,
  topicsPolicy: undefined,
  settings: {},
}

/** The properties that are given and differ. */
function changesOf(row: ChannelRow, wanted: CheckedChannel): Partial<ChannelChanges> {
  const isPrivate = wanted.isPrivate ?? row.is_private
  const wasShared = row.is_private && !isHistoryProtected(row)
  const sharesHistory = isPrivate && (wanted.isHistoryShared ?? wasShared)
  return {
    ...(wanted.name !== row.name && { name: wanted.name }),
    ...((wanted.description ?? row.description) !== row.description && {
      description: wanted.description,
    }),
    ...(isPrivate !== row.is_private && { isPrivate }),
    ...(isPrivate && sharesHistory !== wasShared && { isHistoryShared: sharesHistory }),
    ...((wanted.isDefault ?? row.is_default) !== row.is_default && { isDefault: wanted.isDefault }),
    ...(wanted.folderId !== undefined &&
      wanted.folderId !== row.folder_id && { folderId: wanted.folderId }),
    ...(row.is_archived && wanted.isArchived === false && { isArchived: false }),
  }
}
