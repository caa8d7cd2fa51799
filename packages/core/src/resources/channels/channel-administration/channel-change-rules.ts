import { inject } from 'tsyringe'

import { emptyTopicDisplayName } from '../../../domain/messages/topics.js'
import { hasRole, Role, type Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError, namedText } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import type { Transaction } from '../../../storage/index.js'
import { PermissionGroups } from '../../groups/user-groups/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { ChannelCreation } from '../channel-creation/index.js'
import { ChannelAccess, ChannelRepository, type ChannelForUser } from '../channels/index.js'
import { TopicRepository } from '../topics/index.js'
import { changedPrivacy, type ChannelChanges, type Privacy } from './channel-changes.js'

/** Decides which changes to a channel a user may make. */
@perServer()
export class ChannelChangeRules {
  constructor(
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(ChannelCreation) private readonly creation: ChannelCreation,
    @inject(TopicRepository) private readonly topics: TopicRepository,
    @inject(PermissionGroups) private readonly groups: PermissionGroups,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * Returns the channel, locked against concurrent changes until `tx` ends.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such channel, or `actor` may not change it.
   */
  async requireAdministered(
    tx: Transaction,
    actor: Actor,
    channelId: number,
  ): Promise<ChannelForUser> {
    const found = await this.channels.lockForUser(tx, channelId, actor.userId)
    const viewer = await this.access.viewer(actor)
    if (found === undefined) throw badRequest('CHANNEL_ID_INVALID')
    if (viewer.administers(found)) return found
    throw badRequest(
      viewer.hasContentAccess(found) ? 'CHANNEL_ADMINISTRATION_NOT_ALLOWED' : 'CHANNEL_ID_INVALID',
    )
  }

  /**
   * @returns the privacy after the change, or undefined if it does not change.
   * @throws {ChatError} `BAD_REQUEST` or `UNAUTHORIZED_PRINCIPAL` for the first change that `actor`
   *   may not make; the values of permission settings are not checked.
   */
  async requireAllowed(
    tx: Transaction,
    actor: Actor,
    found: ChannelForUser,
    changes: ChannelChanges,
  ): Promise<Privacy | undefined> {
    const { channel } = found
    const privacy = changedPrivacy(channel, changes)
    await this.#requirePrivacyAllowed(actor, found, changes, privacy)
    if (changes.isDefault !== undefined && !hasRole(actor, Role.administrator)) {
      throw badRequest('INSUFFICIENT_PERMISSION')
    }
    if (changes.retentionDays !== undefined && !hasRole(actor, Role.owner)) {
      throw new ChatError('UNAUTHORIZED_PRINCIPAL', { text: namedText('OWNER_REQUIRED') })
    }
    if (changes.isArchived === false) await this.#requireCanReturn(tx, found)
    if (changes.name !== undefined && changes.name === channel.name) {
      throw badRequest('CHANNEL_NAME_UNCHANGED')
    }
    await this.creation.requireFolder(tx, changes.folderId)
    await this.#requireTopicsPolicyAllowed(tx, actor, found, changes.topicsPolicy)
    await this.#requireSettingsAllowed(actor, found, changes)
    return privacy
  }

  async #requirePrivacyAllowed(
    actor: Actor,
    found: ChannelForUser,
    changes: ChannelChanges,
    privacy: Privacy | undefined,
  ): Promise<void> {
    const { channel } = found
    const willBePrivate = privacy?.isPrivate ?? channel.is_private
    if (willBePrivate && (changes.isDefault ?? channel.is_default)) {
      throw badRequest('DEFAULT_CHANNEL_NOT_PRIVATE')
    }
    const { settings } = await this.organizations.require(actor.organizationId)
    if (!willBePrivate && settings.moderation_request_channel_id === channel.id) {
      throw badRequest('MODERATION_CHANNEL_NOT_PUBLIC')
    }
    if (privacy === undefined) return
    if (!(await this.access.hasContentAccess(actor, found))) {
      throw badRequest('CHANNEL_CONTENT_ACCESS_REQUIRED')
    }
    if (privacy.isPrivate !== channel.is_private || !privacy.isWebPublic) {
      const creation = privacy.isPrivate
        ? 'can_create_private_channel_group'
        : 'can_create_public_channel_group'
      if (!(await this.groups.allows(actor, creation))) throw badRequest('INSUFFICIENT_PERMISSION')
    }
    if (!privacy.isWebPublic) return
    if (!this.facts.webPublicChannels || !settings.enable_spectator_access) {
      throw badRequest('WEB_PUBLIC_CHANNELS_DISABLED')
    }
    if (!(await this.groups.allows(actor, 'can_create_web_public_channel_group'))) {
      throw badRequest('INSUFFICIENT_PERMISSION')
    }
  }

  async #requireCanReturn(tx: Transaction, { channel }: ChannelForUser): Promise<void> {
    if (!channel.is_archived) throw badRequest('CHANNEL_NOT_ARCHIVED')
    if (!channel.is_private) return
    if ((await this.channels.countReceivers(tx, channel.id)) === 0) {
      throw badRequest('CHANNEL_WITHOUT_SUBSCRIBERS')
    }
  }

  async #requireTopicsPolicyAllowed(
    tx: Transaction,
    actor: Actor,
    { channel }: ChannelForUser,
    policy: string | undefined,
  ): Promise<void> {
    if (policy === undefined || policy === channel.topics_policy) return
    if (
      policy !== 'inherit' &&
      !(await this.#hasPermission(actor, 'can_set_topics_policy_group'))
    ) {
      throw badRequest('INSUFFICIENT_PERMISSION')
    }
    if (policy === 'empty_topic_only' && (await this.topics.hasNamed(tx, channel.id))) {
      throw badRequest('CHANNEL_HAS_OTHER_TOPICS', { topic: emptyTopicDisplayName })
    }
  }

  async #requireSettingsAllowed(
    actor: Actor,
    found: ChannelForUser,
    { settings }: ChannelChanges,
  ): Promise<void> {
    const opensContent =
      settings.can_add_subscribers_group !== undefined || settings.can_subscribe_group !== undefined
    if (opensContent && !(await this.access.hasContentAccess(actor, found))) {
      throw badRequest('CHANNEL_CONTENT_ACCESS_REQUIRED')
    }
    const setsDeletion =
      settings.can_delete_any_message_group !== undefined ||
      settings.can_delete_own_message_group !== undefined
    if (
      setsDeletion &&
      !(await this.#hasPermission(actor, 'can_set_delete_message_policy_group'))
    ) {
      throw badRequest('INSUFFICIENT_PERMISSION')
    }
  }

  async #hasPermission(
    actor: Actor,
    permission: 'can_set_topics_policy_group' | 'can_set_delete_message_policy_group',
  ): Promise<boolean> {
    return hasRole(actor, Role.administrator) || this.groups.allows(actor, permission)
  }
}
