import { inject } from 'tsyringe'

import { limits } from '../../../domain/limits.js'
import { interpretTopic, topicKey } from '../../../domain/messages/topics.js'
import { Quotas } from '../../../domain/quotas.js'
import { codePointLength } from '../../../domain/texts/folding.js'
import type { Actor } from '../../../domain/users/actor.js'
import { parseUserSettings, type UserSettingsJson } from '../../../domain/users/user-settings.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { ChannelAccess } from '../channels/index.js'
import { mutedTopicsChanged, userTopicChanged, type MutedTopic } from './user-topic-events.js'
import { UserTopicRepository, type NamedUserTopic } from './user-topic-repository.js'
import { userTopics } from './user-topics-table.js'

/** The visibility policies of topics, as numbers on the wire. */
export const TopicVisibility = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const

/** Manages the visibility policies of topics. */
@perServer()
export class UserTopicService {
  constructor(
    @inject(UserTopicRepository) private readonly topics: UserTopicRepository,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * @throws {ChatError} `BAD_REQUEST` if there is no such channel, the topic is too long, or the
   *   user has too many policies.
   */
  async set(actor: Actor, channelId: number, topic: string, policy: number): Promise<void> {
    const name = requireTopic(topic)
    await this.unitOfWork.runFor(actor, async (tx) => {
      // Users can reset their own policy in a channel that they can no longer see.
      const isOwn =
        policy === TopicVisibility.none &&
        (await this.topics.find(tx, actor.userId, channelId, topicKey(name))) !== undefined
      if (!isOwn) await this.access.requireVisible(tx, actor, { id: channelId })
      await this.#requireQuota(tx, actor, policy)
      await this.setWithin(tx, actor.userId, channelId, name, policy)
    })
  }

  /**
   * Mutes or unmutes a topic in the deprecated way.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such channel, or the topic is too long;
   *   `REQUEST_VARIABLE_MISSING` or `UNSUPPORTED_COMBINATION` unless the channel is named exactly
   *   once.
   */
  async mute(
    actor: Actor,
    channel: { readonly id: number | undefined; readonly name: string | undefined },
    topic: string,
    op: 'add' | 'remove',
  ): Promise<void> {
    const by = requireOne(channel)
    const name = requireTopic(topic)
    await this.unitOfWork.runFor(actor, async (tx) => {
      const found = await this.access.requireVisible(tx, actor, by)
      const { id } = found.channel
      if (op === 'add') {
        await this.#requireQuota(tx, actor, TopicVisibility.muted)
        await this.setWithin(tx, actor.userId, id, name, TopicVisibility.muted)
        return
      }
      const known = await this.topics.find(tx, actor.userId, id, topicKey(name))
      if (known?.visibility_policy !== TopicVisibility.muted) return
      await this.setWithin(tx, actor.userId, id, name, TopicVisibility.none)
    })
  }

  /** Sets the policy without access checks, and sends the user an event if it changed. */
  async setWithin(
    tx: Transaction,
    userId: number,
    channelId: number,
    topic: string,
    policy: number,
  ): Promise<void> {
    const key = { user_id: userId, channel_id: channelId, topic_key: topicKey(topic) }
    const known = await tx.rows(userTopics).find(key)
    if ((known?.visibility_policy ?? TopicVisibility.none) === policy) return
    const updated_at_seconds = nowSeconds(this.clock)
    if (known === undefined) {
      await tx.rows(userTopics).insert({
        ...key,
        topic,
        visibility_policy: policy,
        updated_at_seconds,
      })
    } else if (policy === TopicVisibility.none) {
      await tx.rows(userTopics).delete(key)
    } else {
      await tx.rows(userTopics).update(key, { visibility_policy: policy, updated_at_seconds })
    }
    // Users follow thousands of topics, and mute a few.
    const muted = await this.topics.listMuted(tx, [userId])
    tx.emit(mutedTopicsChanged({ userIds: [userId] }, { mutedTopics: mutedTopics(muted) }))
    tx.emit(
      userTopicChanged(
        { userIds: [userId] },
        {
          channelId,
          topic: known?.topic ?? topic,
          updatedAtSeconds: updated_at_seconds,
          visibilityPolicy: policy,
        },
      ),
    )
  }

  async #requireQuota(tx: Transaction, actor: Actor, policy: number): Promise<void> {
    if (policy === TopicVisibility.none) return
    const present = await tx.rows(userTopics).count({ user_id: actor.userId })
    this.quotas.require('topicPoliciesPerUser', present + 1)
  }

  /**
   * Follows a topic for users who are mentioned in it, receive the channel's messages, have the
   * setting enabled, and have neither muted nor followed the topic.
   */
  async followWhereMentioned(
    tx: Transaction,
    mentionedIds: readonly number[],
    channelId: number,
    topic: string,
  ): Promise<void> {
    if (mentionedIds.length === 0) return
    const key = topicKey(topic)
    const possible = await this.topics.listPossibleFollowers(tx, mentionedIds, channelId, key)
    const userIds = possible.filter(followsWhereMentioned).map(({ user_id }) => user_id)
    if (userIds.length === 0) return
    const updatedAtSeconds = nowSeconds(this.clock)
    await this.topics.setMany(tx, userIds, {
      channel_id: channelId,
      topic,
      topic_key: key,
      visibility_policy: TopicVisibility.followed,
      updated_at_seconds: updatedAtSeconds,
    })
    tx.emit(
      userTopicChanged(
        { userIds },
        { channelId, topic, updatedAtSeconds, visibilityPolicy: TopicVisibility.followed },
      ),
    )
  }
}

/** Whether the user's settings enable following on mention. */
function followsWhereMentioned({ settings }: { readonly settings: UserSettingsJson }): boolean {
  return parseUserSettings(settings).automatically_follow_topics_where_mentioned
}

/** The muted topics among the policies, in channels whose name the user can see. */
export function mutedTopics(topics: readonly NamedUserTopic[]): MutedTopic[] {
  return topics
    .filter(({ visibility_policy }) => visibility_policy === TopicVisibility.muted)
    .filter(({ is_channel_shown }) => is_channel_shown)
    .map((row) => [row.channel_name, row.topic, row.updated_at_seconds])
}

/** @throws {ChatError} `BAD_REQUEST` if the topic is too long. */
export function requireTopic(text: string): string {
  const topic = interpretTopic(text)
  if (codePointLength(topic) > limits.maxTopicLength) {
    throw badRequest('TOPIC_TOO_LONG', { limit: limits.maxTopicLength })
  }
  return topic
}

function requireOne({
  id,
  name,
}: {
  readonly id: number | undefined
  readonly name: string | undefined
}): { readonly id: number } | { readonly name: string } {
  if (id !== undefined && name !== undefined) {
    throw new ChatError('UNSUPPORTED_COMBINATION', { fields: { parameters: 'stream_id, stream' } })
  }
  if (id !== undefined) return { id }
  if (name !== undefined) return { name }
  throw new ChatError('REQUEST_VARIABLE_MISSING', { fields: { var_name: 'stream_id' } })
}
