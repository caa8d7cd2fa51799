import { inject } from 'tsyringe'

import { topicKey } from '../../../domain/messages/topics.js'
import type { Actor } from '../../../domain/users/actor.js'
import { parseUserSettings } from '../../../domain/users/user-settings.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { ChannelAccess, ChannelRepository } from '../../channels/channels/index.js'
import { isHistoryProtected, type MessageRow } from '../../channels/message-permissions/index.js'
import {
  TopicPolicies,
  TopicVisibility,
  UserTopicRepository,
  UserTopicService,
} from '../../channels/topics/index.js'
import { UserRepository, type UserRow } from '../../people/users/index.js'
import { MessageRepository } from '../objects/index.js'
import type { MoveAudience } from './moved-user-messages.js'
import type { TopicDestination } from './topic-move.js'
import { TopicSliceRepository } from './topic-slice-repository.js'
import { visiblePart } from './topic-slice.js'

/** The state of the destination before the move. */
export interface Arrival {
  readonly hadMessages: boolean
}

/** The value of both automatic settings that limits them to topics that the user started. */
const startingTopics = 3

/** Moves the users' topic visibility policies along with messages. */
@perServer()
export class MovedPolicies {
  constructor(
    @inject(TopicPolicies) private readonly policies: TopicPolicies,
    @inject(UserTopicService) private readonly userTopics: UserTopicService,
    @inject(UserTopicRepository) private readonly topics: UserTopicRepository,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(MessageRepository) private readonly messages: MessageRepository,
    @inject(TopicSliceRepository) private readonly slices: TopicSliceRepository,
    @inject(UserRepository) private readonly users: UserRepository,
  ) {}

  /** Must be called before the messages move. */
  async arrival(tx: Transaction, to: TopicDestination): Promise<Arrival> {
    const slice = { channelId: to.channel.channel.id, topicKey: topicKey(to.topic) }
    return { hadMessages: await this.slices.hasMessages(tx, slice) }
  }

  /** Must be called after the messages have moved, before the events are emitted. */
  async follow(
    tx: Transaction,
    actor: Actor,
    message: MessageRow,
    to: TopicDestination,
    { hadMessages }: Arrival,
    audience: MoveAudience,
  ): Promise<void> {
    const target = { channelId: to.channel.channel.id, topic: to.topic }
    const source = { channelId: to.source.channel.id, topic: message.topic }
    if (to.mode === 'change_all' || !(await this.#leavesMessages(tx, actor, message, to))) {
      await this.policies.move(tx, source, { ...target, hadMessages }, audience.reachable)
      return
    }
    const sender = await this.users.find(tx, message.sender_id)
    if (sender === undefined || sender.is_bot || !sender.is_active) return
    if (!audience.reachable([sender.id]).has(sender.id)) return
    const policy = await this.#policyOfStarter(tx, sender, message, to)
    if (policy === undefined) return
    await this.userTopics.setWithin(tx, sender.id, target.channelId, to.topic, policy)
  }

  /** Whether the mover can still see messages in the former topic. */
  async #leavesMessages(
    tx: Transaction,
    actor: Actor,
    message: MessageRow,
    to: TopicDestination,
  ): Promise<boolean> {
    const { channel } = to.source
    const slice = { channelId: channel.id, topicKey: message.topic_key }
    const viewer = await this.access.viewer(actor)
    return this.slices.hasMessages(tx, visiblePart(slice, viewer, to.source))
  }

  /** The policy by the sender's settings for the new topic, if the message is now its first. */
  async #policyOfStarter(
    tx: Transaction,
    sender: UserRow,
    message: MessageRow,
    to: TopicDestination,
  ): Promise<number | undefined> {
    const settings = parseUserSettings(sender.settings)
    const follows = settings.automatically_follow_topics_policy === startingTopics
    const unmutes = settings.automatically_unmute_topics_in_muted_streams_policy === startingTopics
    if (!follows && !unmutes) return undefined
    const { id } = to.channel.channel
    const place = { messageId: message.id, channelId: id, topicKey: topicKey(to.topic) }
    if ((await this.topics.find(tx, sender.id, id, place.topicKey)) !== undefined) return undefined
    const readerId = isHistoryProtected(to.channel.channel) ? sender.id : undefined
    if (await this.messages.hasEarlier(tx, place, readerId)) return undefined
    if (follows) return TopicVisibility.followed
    const found = await this.channels.findForUser(tx, { id }, sender.id)
    return found?.isMuted === true ? TopicVisibility.unmuted : undefined
  }
}
