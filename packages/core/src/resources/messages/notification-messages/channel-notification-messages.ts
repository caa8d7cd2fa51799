import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { namedText, type NamedText } from '../../../texts/index.js'
import {
  ChannelRepository,
  channelSettings,
  type ChannelRow,
} from '../../channels/channels/index.js'
import type { ChannelStep, NewSubscribers } from '../../channels/subscriptions/index.js'
import { GroupSettingValues, PermissionGroups } from '../../groups/user-groups/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UserRepository } from '../../people/users/index.js'
import type { SystemBotDraft } from '../sending/index.js'
import { NotificationMessageSender } from './notification-message-sender.js'
import {
  channelLink,
  descriptionFence,
  privacyName,
  shownDescription,
  silentGroupMention,
  silentMention,
} from './notification-texts.js'

/** Sends notification messages about changes of channels and subscriptions. */
@perServer()
export class ChannelNotificationMessages implements ChannelStep {
  constructor(
    @inject(NotificationMessageSender) private readonly sender: NotificationMessageSender,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(GroupSettingValues) private readonly settingValues: GroupSettingValues,
    @inject(PermissionGroups) private readonly groups: PermissionGroups,
    @inject(UserRepository) private readonly users: UserRepository,
  ) {}

  async subscribed(tx: Transaction, actor: Actor, what: NewSubscribers): Promise<void> {
    const name = await this.sender.nameOf(tx, actor)
    const drafts: SystemBotDraft[] = what.notifiesSubscribers
      ? await this.#subscriptionMessages(tx, actor, name, what)
      : []
    const { created, announcement } = what
    if (created.length > 0 && announcement !== 'nowhere') {
      if (announcement === 'everywhere')
        drafts.push(...(await this.#announcement(tx, name, created)))
      const topicOf = await this.#eventsTopic(tx)
      for (const channel of created) {
        drafts.push({
          to: { channelId: channel.id, topic: topicOf(channel) },
          content: creationText(name, channel),
        })
      }
    }
    await this.sender.send(tx, actor, drafts)
  }

  async changed(tx: Transaction, actor: Actor, old: ChannelRow, now: ChannelRow): Promise<void> {
    const name = await this.sender.nameOf(tx, actor)
    const contents: NamedText[] = []
    if (old.is_archived && !now.is_archived) {
      contents.push(namedText('CHANNEL_UNARCHIVED_MESSAGE', { channel: channelLink(now.name) }))
    }
    const [before, after] = [privacyName(old), privacyName(now)]
    if (before.name !== after.name) {
      const values = { user: name, old: before, new: after }
      contents.push(namedText('CHANNEL_PRIVACY_CHANGED_MESSAGE', values))
    }
    if (old.name !== now.name) {
      const values = { user: name, old: old.name, new: now.name }
      contents.push(namedText('CHANNEL_RENAMED_MESSAGE', values))
    }
    if (old.description !== now.description) {
      contents.push(
        namedText('CHANNEL_DESCRIPTION_CHANGED_MESSAGE', {
          user: name,
          old_fence: descriptionFence(old),
          old: shownDescription(old),
          new_fence: descriptionFence(now),
          new: shownDescription(now),
        }),
      )
    }
    const mayPost = channelSettings(old).can_send_message_group
    const willPost = channelSettings(now).can_send_message_group
    if (mayPost !== willPost) {
      const nameOf = await this.#permissionNames(tx, [mayPost, willPost])
      const values = { user: name, old: nameOf(mayPost), new: nameOf(willPost) }
      contents.push(namedText('CHANNEL_POSTING_CHANGED_MESSAGE', values))
    }
    await this.#post(tx, actor, now, contents)
  }

  /** Must be called after the events of the change are emitted. */
  async archived(tx: Transaction, actor: Actor, channel: ChannelRow): Promise<void> {
    const values = { channel: channelLink(channel.name) }
    const content = namedText('CHANNEL_ARCHIVED_MESSAGE', values)
    await this.#post(tx, actor, channel, [content])
  }

  async #post(
    tx: Transaction,
    actor: Actor,
    channel: ChannelRow,
    contents: readonly NamedText[],
  ): Promise<void> {
    if (contents.length === 0) return
    const topicOf = await this.#eventsTopic(tx)
    const to = { channelId: channel.id, topic: topicOf(channel) }
    await this.sender.send(
      tx,
      actor,
      contents.map((content) => ({ to, content })),
    )
  }

  /** One direct message to each human user whom the actor subscribed to existing channels. */
  async #subscriptionMessages(
    tx: Transaction,
    actor: Actor,
    name: string,
    { channels, created, added }: NewSubscribers,
  ): Promise<SystemBotDraft[]> {
    const createdIds = new Set(created.map(({ id }) => id))
    const names = new Map<number, string[]>()
    for (const channel of channels) {
      if (createdIds.has(channel.id)) continue
      for (const userId of added.get(channel.id) ?? []) addTo(names, userId, channel.name)
    }
    const users = await this.users.findMany(tx, [...names.keys()])
    return users.flatMap((user): SystemBotDraft[] => {
      const own = names.get(user.id)
      if (own === undefined || user.is_bot || user.id === actor.userId) return []
      const [first = '', second] = own
      const content =
        second === undefined
          ? namedText('CHANNEL_SUBSCRIBED_MESSAGE', { user: name, channel: channelLink(first) })
          : namedText('CHANNELS_SUBSCRIBED_MESSAGE', {
              user: name,
              channels: own
                .sort((a, b) => (a < b ? -1 : 1))
                .map((channelName) => `* ${channelLink(channelName)}`)
                .join('\n'),
            })
      return [{ to: { user }, content }]
    })
  }

  async #announcement(
    tx: Transaction,
    name: string,
    created: readonly ChannelRow[],
  ): Promise<SystemBotDraft[]> {
    const { settings } = await this.organizations.requireWithin(tx)
    const channelId = settings.new_stream_announcements_stream_id
    const [channel] = channelId > 0 ? await this.channels.findMany(tx, [channelId]) : []
    if (channel === undefined) return []
    const links = created.map((one) => channelLink(one.name)).join(', ')
    const content =
      created.length === 1
        ? namedText('CHANNEL_ANNOUNCED_MESSAGE', { user: name, channel: links })
        : namedText('CHANNELS_ANNOUNCED_MESSAGE', { user: name, channels: links })
    return [{ to: { channelId, topic: namedText('NEW_CHANNELS_TOPIC') }, content }]
  }

  async #eventsTopic(tx: Transaction): Promise<(channel: ChannelRow) => string | NamedText> {
    const { settings } = await this.organizations.requireWithin(tx)
    return ({ topics_policy }) => {
      const policy = topics_policy === 'inherit' ? settings.topics_policy : topics_policy
      return policy === 'empty_topic_only' ? '' : namedText('CHANNEL_EVENTS_TOPIC')
    }
  }

  /** Renders the values of permission settings as Markdown. */
  async #permissionNames(
    tx: Transaction,
    groupIds: readonly number[],
  ): Promise<(groupId: number) => string> {
    const valueOf = await this.settingValues.reader(tx)
    const values = groupIds.map(valueOf)
    const userIds = values.flatMap((value) =>
      typeof value === 'number' ? [] : value.direct_members,
    )
    const users = new Map((await this.users.findMany(tx, userIds)).map((user) => [user.id, user]))
    const graph = await this.groups.graph(tx.organizationId)
    const groupName = (id: number): string => silentGroupMention(graph.find(id)?.name ?? '')
    return (groupId) => {
      const value = valueOf(groupId)
      if (typeof value === 'number') return groupName(value)
      const members = value.direct_members.flatMap((id) => users.get(id) ?? []).map(silentMention)
      return [...value.direct_subgroups.map(groupName), ...members].join(', ')
    }
  }
}

function creationText(name: string, channel: ChannelRow): NamedText {
  return namedText('CHANNEL_CREATED_MESSAGE', {
    privacy: privacyName(channel),
    user: name,
    fence: descriptionFence(channel),
    description: shownDescription(channel),
  })
}
