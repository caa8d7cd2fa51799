import { inject, injectAll } from 'tsyringe'

import { changesBetween, type AuditChanges } from '../../../domain/organizations/audit-actions.js'
import {
  channelPermissions,
  type ChannelPermission,
} from '../../../domain/organizations/organization-settings.js'
import { Quotas } from '../../../domain/quotas.js'
import { foldCase } from '../../../domain/texts/folding.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { toJson, UnitOfWork, type Transaction } from '../../../storage/index.js'
import { GroupSettingValues } from '../../groups/user-groups/index.js'
import {
  ChannelAudiences,
  ChannelObjects,
  ChannelRepository,
  channelsDeleted,
  channelSettingNames,
  channelSettings,
  channelUpdated,
  type ChannelObservers,
  type ChannelRow,
  DescriptionRendererToken,
  type DescriptionRenderer,
} from '../channels/index.js'
import { DefaultChannelService } from '../default-channels/index.js'
import {
  ChannelStepToken,
  type ChannelStep,
  emitNewlyVisible,
  ReturnedChannels,
} from '../subscriptions/index.js'
import { ChannelChangeRules } from './channel-change-rules.js'
import type { ChannelChanges } from './channel-changes.js'
import { changePrivacy, updateOf, type PropertyChange } from './channel-property-changes.js'
import { ChannelRoles } from './channel-roles.js'

const auditedColumns = [
  'name',
  'description',
  'is_private',
  'is_web_public',
  'is_history_shared',
  'is_default',
  'message_retention_days',
  'topics_policy',
  'folder_id',
] as const

/** Changes, archives and restores channels. */
@perServer()
export class ChannelAdministration {
  constructor(
    @inject(ChannelChangeRules) private readonly rules: ChannelChangeRules,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAudiences) private readonly audiences: ChannelAudiences,
    @inject(ChannelObjects) private readonly objects: ChannelObjects,
    @inject(DefaultChannelService) private readonly defaultChannels: DefaultChannelService,
    @inject(ReturnedChannels) private readonly returned: ReturnedChannels,
    @inject(ChannelRoles) private readonly roles: ChannelRoles,
    @inject(GroupSettingValues) private readonly settingValues: GroupSettingValues,
    @injectAll(ChannelStepToken) private readonly steps: readonly ChannelStep[],
    @inject(DescriptionRendererToken) private readonly renderer: DescriptionRenderer,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Makes all changes or none, and sends them to the users to whom the channel is visible.
   *
   * @throws {ChatError} for the first change that is impossible or that `actor` may not make.
   */
  async update(actor: Actor, channelId: number, changes: ChannelChanges): Promise<void> {
    await this.unitOfWork.runFor(actor, (tx) => this.updateWithin(tx, actor, channelId, changes))
  }

  /** The same in the caller's transaction. */
  async updateWithin(
    tx: Transaction,
    actor: Actor,
    channelId: number,
    changes: ChannelChanges,
  ): Promise<void> {
    const found = await this.rules.requireAdministered(tx, actor, channelId)
    const { channel } = found
    const privacy = await this.rules.requireAllowed(tx, actor, found, changes)
    if (changes.name !== undefined) await this.#requireFree(tx, actor, channel, changes.name)
    const before = (await this.audiences.load(tx, [channel])).observers(channel)

    const row: Partial<ChannelRow> = {}
    const propertyChanges: PropertyChange[] = []
    if (privacy !== undefined) changePrivacy(row, propertyChanges, privacy)
    this.#changeSimple(channel, row, propertyChanges, changes)
    await this.#changeDescription(tx, actor, channel, row, propertyChanges, changes.description)
    if (changes.name !== undefined) {
      row.name = changes.name
      row.name_key = foldCase(changes.name)
      propertyChanges.push({ property: 'name', value: changes.name })
    }
    const permissions = await this.#changeSettings(tx, channel, row, propertyChanges, changes)
    if (Object.keys(row).length > 0) await this.channels.update(tx, channelId, row)
    if (row.description) {
      this.quotas.require('descriptionBytesPerList', await this.channels.descriptionBytes(tx))
    }
    audit(tx, channel, row, permissions)
    const isReturning = changes.isArchived === false
    await this.#announce(tx, channel, { ...channel, ...row }, before, propertyChanges, isReturning)
    if (changes.isDefault !== undefined && changes.isDefault !== channel.is_default) {
      await (changes.isDefault
        ? this.defaultChannels.announceAdded(tx)
        : this.defaultChannels.announce(tx))
    }
    for (const step of this.steps) {
      await step.changed?.(tx, actor, channel, { ...channel, ...row })
    }
  }

  /**
   * Archives a channel: it can be read, but no messages can be sent to it.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such channel, it is archived already, or
   *   `actor` may not change it.
   */
  async archive(actor: Actor, channelId: number): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const { channel } = await this.rules.requireAdministered(tx, actor, channelId)
      if (channel.is_archived) throw badRequest('CHANNEL_ALREADY_ARCHIVED')
      await this.channels.update(tx, channelId, { is_archived: true, is_default: false })
      tx.audit({ action: 'channel.archived', objectId: channelId })
      await this.roles.release(tx, channelId)
      if (channel.is_default) await this.defaultChannels.announce(tx)
      const audience = (await this.audiences.load(tx, [channel])).observers(channel).without([])
      const update = updateOf(channel, { property: 'is_archived', value: true })
      tx.emit(channelUpdated(audience, { update, isOfArchived: true }))
      tx.emit(channelsDeleted(audience, { channelIds: [channelId], isArchived: true }))
      for (const step of this.steps) await step.archived?.(tx, actor, channel)
    })
  }

  async #requireFree(
    tx: Transaction,
    actor: Actor,
    channel: ChannelRow,
    name: string,
  ): Promise<void> {
    const [taken] = await this.channels.lockManyByName(tx, [name], actor.userId)
    if (taken === undefined || taken.channel.id === channel.id) return
    throw new ChatError('CHANNEL_ALREADY_EXISTS', { fields: { channel_name: name } })
  }

  #changeSimple(
    channel: ChannelRow,
    row: Partial<ChannelRow>,
    propertyChanges: PropertyChange[],
    changes: ChannelChanges,
  ): void {
    const { isDefault, retentionDays, isArchived, topicsPolicy, folderId } = changes
    if (isDefault !== undefined) row.is_default = isDefault
    if (retentionDays !== undefined && retentionDays !== channel.message_retention_days) {
      row.message_retention_days = retentionDays
      propertyChanges.push({ property: 'message_retention_days', value: retentionDays })
    }
    if (isArchived === false) row.is_archived = false
    if (folderId !== undefined && folderId !== channel.folder_id) {
      row.folder_id = folderId
      propertyChanges.push({ property: 'folder_id', value: folderId })
    }
    if (topicsPolicy !== undefined && topicsPolicy !== channel.topics_policy) {
      row.topics_policy = topicsPolicy
      propertyChanges.push({ property: 'topics_policy', value: topicsPolicy })
    }
  }

  async #changeDescription(
    tx: Transaction,
    actor: Actor,
    channel: ChannelRow,
    row: Partial<ChannelRow>,
    propertyChanges: PropertyChange[],
    description: string | undefined,
  ): Promise<void> {
    if (description === undefined || description === channel.description) return
    const html =
      description === '' ? '' : await this.renderer.renderDescription(tx, actor, description)
    row.description = description
    row.rendered_description = html
    propertyChanges.push({
      property: 'description',
      value: description,
      more: { rendered_description: html },
    })
  }

  async #changeSettings(
    tx: Transaction,
    channel: ChannelRow,
    row: Partial<ChannelRow>,
    propertyChanges: PropertyChange[],
    { settings }: ChannelChanges,
  ): Promise<AuditChanges> {
    const current = channelSettings(channel)
    const audited: Record<string, AuditChanges[string]> = {}
    const changed: Partial<Record<ChannelPermission, number>> = {}
    for (const name of channelSettingNames) {
      const update = settings[name]
      if (update === undefined) continue
      const setting = { name, definition: channelPermissions[name] }
      const change = await this.settingValues.change(tx, setting, current[name], update)
      if (change === undefined) continue
      changed[name] = change.groupId
      audited[name] = { old: change.oldValue, new: change.value }
      propertyChanges.push({ property: name, value: change.value })
      if (name !== 'can_send_message_group') continue
      const policyOf = await this.objects.postPolicies(tx.organizationId)
      const policy = policyOf(change.groupId)
      propertyChanges.push({ property: 'stream_post_policy', value: policy })
      propertyChanges.push({ property: 'is_announcement_only', value: policy === 2 })
    }
    if (Object.keys(changed).length > 0) row.settings = toJson({ ...current, ...changed })
    return audited
  }

  /**
   * Users to whom the channel becomes visible get it as a new one; users to whom it no longer is
   * get its deletion; all others get the changes.
   */
  async #announce(
    tx: Transaction,
    old: ChannelRow,
    channel: ChannelRow,
    before: ChannelObservers,
    propertyChanges: readonly PropertyChange[],
    isReturning: boolean,
  ): Promise<void> {
    const audience = await this.audiences.load(tx, [channel], { withSubscribers: true })
    const after = audience.observers(channel)
    const gaining = [...after.ids].filter((id) => !before.has(id))
    const losing = [...before.ids].filter((id) => !after.has(id))
    const described =
      gaining.length > 0 || isReturning ? await this.objects.describe(tx, [channel]) : []
    if (gaining.length > 0) {
      emitNewlyVisible(tx, { userIds: gaining }, described, (id) => audience.subscribers(id))
    }
    if (losing.length > 0) tx.emit(channelsDeleted({ userIds: losing }, { channelIds: [old.id] }))
    const rest = after.without(gaining)
    const isOfArchived = channel.is_archived
    if (isReturning) {
      const update = updateOf(old, { property: 'is_archived', value: false })
      tx.emit(channelUpdated(rest, { update, isOfArchived: true }))
      for (const object of described) await this.returned.announce(tx, object, after, gaining)
    }
    for (const change of propertyChanges) {
      tx.emit(channelUpdated(rest, { update: updateOf(old, change), isOfArchived }))
    }
  }
}

/** Adds the changes of a channel to the audit trail. */
function audit(
  tx: Transaction,
  channel: ChannelRow,
  row: Partial<ChannelRow>,
  permissions: AuditChanges,
): void {
  const objectId = channel.id
  if (row.is_archived === false) tx.audit({ action: 'channel.unarchived', objectId })
  const changes = { ...changesBetween(channel, row, auditedColumns), ...permissions }
  if (Object.keys(changes).length === 0) return
  tx.audit({ action: 'channel.updated', objectId, changes })
}
