import { inject } from 'tsyringe'

import { MessageFlag } from '../../../domain/messages/message-flags.js'
import { topicKey } from '../../../domain/messages/topics.js'
import type { SystemGroupName } from '../../../domain/organizations/organization-settings.js'
import { Role, type Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import type { Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { ChannelRepository } from '../../channels/channels/index.js'
import type { MentionedGroup, RenderedContent } from '../../content/rendering/index.js'
import { PermissionGroups } from '../../groups/user-groups/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import type { UserMessageFlags } from '../objects/index.js'
import { MentionRepository } from './mention-repository.js'

/** Mentioning more users than this at once requires a permission. */
const manyUsers = 15

/** The conversation for wildcard mentions; null for direct messages. */
export type MentionPlace = { readonly channelId: number; readonly topic: string } | null

const rolesOfGroups: ReadonlyMap<string, Role> = new Map<SystemGroupName, Role>([
  ['role:owners', Role.owner],
  ['role:administrators', Role.administrator],
  ['role:moderators', Role.moderator],
  ['role:members', Role.member],
  ['role:everyone', Role.guest],
])

/** Determines the effects of mentions and alert words on the recipients of a message. */
@perServer()
export class Mentions {
  constructor(
    @inject(MentionRepository) private readonly mentions: MentionRepository,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(PermissionGroups) private readonly groups: PermissionGroups,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * The flags that the content of a message sets in the user messages of its recipients.
   *
   * @throws {ChatError} `STREAM_WILDCARD_MENTION_NOT_ALLOWED`, `TOPIC_WILDCARD_MENTION_NOT_ALLOWED`
   *   or `BAD_REQUEST` if the author may not mention so many users, or such a group.
   */
  async flags(
    scope: OrganizationScope,
    author: Actor,
    rendered: RenderedContent,
    place: MentionPlace,
  ): Promise<UserMessageFlags> {
    const ofUsers = new Map<number, number>()
    const mark = (userIds: Iterable<number>, flag: number): void => {
      for (const userId of userIds) ofUsers.set(userId, (ofUsers.get(userId) ?? 0) | flag)
    }
    if (rendered.mentionsChannel && place !== null) await this.#requireChannel(scope, author, place)
    if (rendered.mentionsTopic && place !== null) {
      const participants = await this.#topicParticipants(scope, author, place)
      mark(participants, MessageFlag.topic_wildcard_mentioned)
    }
    mark(rendered.mentionedUserIds, MessageFlag.mentioned)
    if (rendered.mentionedGroups.length > 0) {
      await this.#requireGroups(author, rendered.mentionedGroups)
      mark(await this.#members(scope, rendered.mentionedGroups), MessageFlag.mentioned)
    }
    mark(rendered.alertedUserIds, MessageFlag.has_alert_word)
    return {
      forEveryone: rendered.mentionsChannel ? MessageFlag.stream_wildcard_mentioned : 0,
      ofUsers,
    }
  }

  async #requireChannel(
    scope: OrganizationScope,
    author: Actor,
    { channelId }: NonNullable<MentionPlace>,
  ): Promise<void> {
    if (await this.groups.allows(author, 'can_mention_many_users_group')) return
    if ((await this.channels.countReceivers(scope, channelId)) <= manyUsers) return
    throw new ChatError('STREAM_WILDCARD_MENTION_NOT_ALLOWED')
  }

  async #topicParticipants(
    scope: OrganizationScope,
    author: Actor,
    { channelId, topic }: NonNullable<MentionPlace>,
  ): Promise<ReadonlySet<number>> {
    const others = await this.mentions.topicParticipants(scope, channelId, topicKey(topic))
    const participants = new Set([...others, author.userId])
    if (participants.size > manyUsers) {
      if (!(await this.groups.allows(author, 'can_mention_many_users_group'))) {
        throw new ChatError('TOPIC_WILDCARD_MENTION_NOT_ALLOWED')
      }
    }
    return participants
  }

  async #requireGroups(author: Actor, mentioned: readonly MentionedGroup[]): Promise<void> {
    const own = await this.groups.groupsOf(author)
    const refused = mentioned.find((group) => !own.has(group.canMentionGroupId))
    if (refused === undefined) return
    throw badRequest('GROUP_MENTION_NOT_ALLOWED', { name: refused.name })
  }

  /** The active members of the groups and their subgroups; members of system groups by role. */
  async #members(
    scope: OrganizationScope,
    mentioned: readonly MentionedGroup[],
  ): Promise<Iterable<number>> {
    const graph = await this.groups.graph(scope.organizationId)
    const contained = [...graph.containedIn(mentioned.map((group) => group.id))]
    const names = contained.flatMap((id) => graph.find(id)?.name ?? [])
    const roles = names.flatMap((name) => rolesOfGroups.get(name) ?? [])
    const members = new Set(await this.mentions.activeMembers(scope, contained))
    for (const userId of await this.mentions.activeWithRoles(
      scope,
      roles,
      Number.MAX_SAFE_INTEGER,
    )) {
      members.add(userId)
    }
    if (names.includes('role:fullmembers') && !names.includes('role:members')) {
      const { settings } = await this.organizations.require(scope.organizationId)
      const joinedBy = this.clock.now() - settings.waiting_period_threshold * 86_400_000
      for (const userId of await this.mentions.activeWithRoles(scope, [Role.member], joinedBy)) {
        members.add(userId)
      }
    }
    return members
  }
}
