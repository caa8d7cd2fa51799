import { inject } from 'tsyringe'

import { createdValues } from '../../../domain/organizations/audit-actions.js'
import {
  channelPermissions,
  type ChannelPermission,
} from '../../../domain/organizations/organization-settings.js'
import { Quotas } from '../../../domain/quotas.js'
import { foldCase } from '../../../domain/texts/folding.js'
import { creatorIdOf, hasRole, Role, type Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError, namedText } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { fromKeys, fromKeysInTurn } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { toJson, type Transaction } from '../../../storage/index.js'
import {
  GroupSettingValues,
  onlyCreator,
  PermissionGroups,
  type GroupSettingValue,
  type GroupSettingChange,
} from '../../groups/user-groups/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { ChannelFolderService } from '../channel-folders/index.js'
import {
  ChannelRepository,
  channelSettingNames,
  type ChannelRow,
  DescriptionRendererToken,
  type DescriptionRenderer,
} from '../channels/index.js'
import type { NewChannelOptions } from './new-channel-parameters.js'

/** A channel to be created; both texts as they are stored. */
export interface NewChannel {
  readonly name: string
  readonly description: string
}

export interface CreatedChannels {
  readonly rows: readonly ChannelRow[]
  /** Whether a setting of the channels lets the creator subscribe other users. */
  readonly creatorMaySubscribeOthers: boolean
}

/** Creates channels. No user is subscribed to them, and no event is sent. */
@perServer()
export class ChannelCreation {
  constructor(
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(GroupSettingValues) private readonly settingValues: GroupSettingValues,
    @inject(PermissionGroups) private readonly groups: PermissionGroups,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(DescriptionRendererToken) private readonly renderer: DescriptionRenderer,
    @inject(ChannelFolderService) private readonly folders: ChannelFolderService,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /** @throws {ChatError} `BAD_REQUEST` if there is no such folder. */
  async requireFolder(tx: Transaction, folderId: number | null | undefined): Promise<void> {
    if (typeof folderId === 'number') await this.folders.requireWithin(tx, folderId)
  }

  /**
   * Creates channels that share all options; their names must be free.
   *
   * @throws {ChatError} `BAD_REQUEST` or `UNAUTHORIZED_PRINCIPAL` if `actor` may not create such
   *   channels.
   */
  async create(
    tx: Transaction,
    actor: Actor,
    channels: readonly NewChannel[],
    options: NewChannelOptions,
  ): Promise<CreatedChannels> {
    if (channels.length === 0) return { rows: [], creatorMaySubscribeOthers: true }
    await this.requireAllowed(actor, options)
    this.quotas.require('newChannelsPerRequest', channels.length)
    const present = await this.channels.count(tx)
    this.quotas.require('channelsPerOrganization', present + channels.length)
    const settings = await this.#settings(tx, actor, options)
    const descriptions = await this.#render(tx, actor, channels)
    const rows = await this.channels.insertMany(
      tx,
      channels.map(({ name, description }) => ({
        external_id: null,
        name,
        name_key: foldCase(name),
        description,
        rendered_description: descriptions.get(description) ?? '',
        created_at_seconds: nowSeconds(this.clock),
        creator_id: creatorIdOf(actor),
        is_private: options.isPrivate,
        is_history_shared: options.isPrivate ? (options.isHistoryShared ?? false) : true,
        is_web_public: options.isWebPublic,
        is_archived: false,
        is_default: options.isDefault,
        is_recently_active: true,
        message_retention_days: options.retentionDays ?? null,
        topics_policy: options.topicsPolicy ?? 'inherit',
        folder_id: options.folderId ?? null,
        first_message_id: null,
        audience_id: null,
        version: 0,
        settings: toJson(fromKeys(channelSettingNames, (name) => settings[name].groupId)),
      })),
    )
    if (descriptions.size > 0) {
      this.quotas.require('descriptionBytesPerList', await this.channels.descriptionBytes(tx))
    }
    for (const { id, name, is_private, is_web_public, is_history_shared } of rows) {
      const changes = createdValues({ name, is_private, is_web_public, is_history_shared })
      tx.audit({ action: 'channel.created', objectId: id, changes })
    }
    const own = await this.groups.groupsOf(actor)
    return {
      rows,
      creatorMaySubscribeOthers: [
        settings.can_administer_channel_group,
        settings.can_add_subscribers_group,
      ].some(({ value }) => includesActor(value, actor, own)),
    }
  }

  async #settings(
    tx: Transaction,
    actor: Actor,
    options: NewChannelOptions,
  ): Promise<Record<ChannelPermission, GroupSettingChange>> {
    const graph = await this.groups.graph(tx.organizationId)
    return fromKeysInTurn(channelSettingNames, async (name) => {
      const definition = channelPermissions[name]
      const { default: group } = definition
      const isCreators = group === 'stream_creator_or_nobody' || group === 'group_creator'
      const requested = options.settings[name]
      if (requested === undefined && !isCreators) {
        const groupId = graph.systemGroupId(group)
        return { groupId, value: groupId }
      }
      return this.settingValues.store(tx, { name, definition }, requested ?? onlyCreator(actor))
    })
  }

  /**
   * @throws {ChatError} `BAD_REQUEST` or `UNAUTHORIZED_PRINCIPAL` if `actor` may not create
   *   channels with such options.
   */
  async requireAllowed(actor: Actor, options: NewChannelOptions): Promise<void> {
    const isAdministrator = hasRole(actor, Role.administrator)
    const refuse = (): never => {
      throw badRequest('INSUFFICIENT_PERMISSION')
    }
    const { settings } = options
    const setsDeletion =
      settings.can_delete_any_message_group !== undefined ||
      settings.can_delete_own_message_group !== undefined
    if (setsDeletion && !(await this.groups.allows(actor, 'can_set_delete_message_policy_group'))) {
      if (!isAdministrator) refuse()
    }
    if ((options.topicsPolicy ?? 'inherit') !== 'inherit' && !isAdministrator) {
      if (!(await this.groups.allows(actor, 'can_set_topics_policy_group'))) refuse()
    }
    const creation = options.isPrivate
      ? 'can_create_private_channel_group'
      : 'can_create_public_channel_group'
    if (!(await this.groups.allows(actor, creation))) refuse()
    if (options.isDefault && !isAdministrator) refuse()
    if (options.isDefault && options.isPrivate) throw badRequest('DEFAULT_CHANNEL_NOT_PRIVATE')
    if (options.isWebPublic) {
      if (options.isPrivate) throw badRequest('PARAMETERS_INVALID')
      const organization = await this.organizations.require(actor.organizationId)
      if (!this.facts.webPublicChannels || !organization.settings.enable_spectator_access) {
        throw badRequest('WEB_PUBLIC_CHANNELS_DISABLED')
      }
      if (!(await this.groups.allows(actor, 'can_create_web_public_channel_group'))) refuse()
    }
    if (typeof options.retentionDays === 'number' && !hasRole(actor, Role.owner)) {
      throw new ChatError('UNAUTHORIZED_PRINCIPAL', { text: namedText('OWNER_REQUIRED') })
    }
  }

  /** Renders each distinct description once; an empty one is not rendered at all. */
  async #render(
    tx: Transaction,
    actor: Actor,
    channels: readonly NewChannel[],
  ): Promise<ReadonlyMap<string, string>> {
    const rendered = new Map<string, string>()
    for (const description of new Set(channels.map((channel) => channel.description))) {
      if (description === '') continue
      const html = await this.renderer.renderDescription(tx, actor, description)
      rendered.set(description, html)
    }
    return rendered
  }
}

function includesActor(
  value: GroupSettingValue,
  actor: Actor,
  groups: ReadonlySet<number>,
): boolean {
  if (typeof value === 'number') return groups.has(value)
  return (
    value.direct_members.includes(actor.userId) ||
    value.direct_subgroups.some((groupId) => groups.has(groupId))
  )
}
