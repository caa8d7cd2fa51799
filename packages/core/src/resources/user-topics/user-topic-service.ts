import { inject } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import { codePointLength } from '../../domain/folding.js'
import { limits } from '../../domain/limits.js'
import { interpretTopic, topicKey } from '../../domain/topics.js'
import { parseUserSettings } from '../../domain/user-settings.js'
import { badRequest, ChatError } from '../../errors/index.js'
import { nowSeconds, type Clock } from '../../kernel/clock.js'
import { perServer } from '../../kernel/per-server.js'
import { ClockToken } from '../../kernel/tokens.js'
import { UnitOfWork, type Transaction } from '../../storage/index.js'
import { ChannelAccess } from '../channels/index.js'
import { mutedTopicsChanged, userTopicChanged, type MutedTopic } from './user-topic-events.js'
import { UserTopicRepository, type NamedUserTopic } from './user-topic-repository.js'

/** What users want to see of topics, as numbers on the wire. */
export const TopicVisibility = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const

/** Knows which topics users have muted, unmuted or followed. */
@perServer()
export class UserTopicService {
  constructor(
    @inject(UserTopicRepository) private readonly topics: UserTopicRepository,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** @throws {ChatError} `BAD_REQUEST` if there is no such channel, or the topic is too long. */
  async set(actor: Actor, channelId: number, topic: string, policy: number): Promise<void> {
    const name = requireTopic(topic)
    await this.unitOfWork.runFor(actor, async (tx) => {
      // What one has set for a channel that one no longer sees can still be taken back.
      const isOwn =
        policy === TopicVisibility.none &&
        (await this.topics.find(tx, actor.userId, channelId, topicKey(name))) !== undefined
      if (!isOwn) await this.access.requireVisible(tx, actor, { id: channelId })
      await this.setWithin(tx, actor.userId, channelId, name, policy)
    })
  }

  /**
   * Mutes a topic, or takes that back, in the deprecated way.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such channel, or the topic is too long;
   *   `REQUEST_VARIABLE_MISSING` or `UNSUPPORTED_COMBINATION` unless it is named exactly once.
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
        await this.setWithin(tx, actor.userId, id, name, TopicVisibility.muted)
        return
      }
      const known = await this.topics.find(tx, actor.userId, id, topicKey(name))
      if (known?.visibility_policy !== TopicVisibility.muted) return
      await this.setWithin(tx, actor.userId, id, name, TopicVisibility.none)
    })
  }

  /** Sets it for a user whose access is not in question, and tells that user if it is new. */
  async setWithin(
    tx: Transaction,
    userId: number,
    channelId: number,
    topic: string,
    policy: number,
  ): Promise<void> {
    const known = await this.topics.find(tx, userId, channelId, topicKey(topic))
    if ((known?.visibility_policy ?? TopicVisibility.none) === policy) return
    const updated_at_seconds = nowSeconds(this.clock)
    if (known === undefined) {
      const row = {
        user_id: userId,
        channel_id: channelId,
        topic,
        topic_key: topicKey(topic),
        visibility_policy: policy,
        updated_at_seconds,
      }
      try {
        await this.topics.insert(tx, row)
      } catch (error) {
        // The same user's other request came first; the later one counts.
        if (!tx.dialect.isUniqueViolation(error)) throw error
        await this.topics.update(tx, { organization_id: tx.organizationId, ...row }, row)
      }
    } else if (policy === TopicVisibility.none) {
      await this.topics.delete(tx, known)
    } else {
      await this.topics.update(tx, known, { visibility_policy: policy, updated_at_seconds })
    }
    const all = await this.topics.listOfUser(tx, userId)
    tx.emit(mutedTopicsChanged({ userIds: [userId] }, { mutedTopics: mutedTopics(all) }))
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

  /**
   * Lets users follow a topic because they are mentioned in it: people who receive the channel,
   * want that, and have neither muted nor followed the topic.
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
    const row = {
      channel_id: channelId,
      topic,
      topic_key: key,
      visibility_policy: TopicVisibility.followed,
      updated_at_seconds: updatedAtSeconds,
    }
    try {
      await this.topics.setMany(tx, userIds, row)
    } catch (error) {
      // Somebody else mentioned one of them a moment ago; now their rows are there to be changed.
      if (!tx.dialect.isUniqueViolation(error)) throw error
      await this.topics.setMany(tx, userIds, row)
    }
    tx.emit(
      userTopicChanged(
        { userIds },
        { channelId, topic, updatedAtSeconds, visibilityPolicy: TopicVisibility.followed },
      ),
    )
  }
}

/** The settings of a user that say so. */
function followsWhereMentioned({ settings }: { readonly settings: string }): boolean {
  return parseUserSettings(settings).automatically_follow_topics_where_mentioned
}

/** The muted ones among what a user has set, in channels that the user may know of. */
export function mutedTopics(topics: readonly NamedUserTopic[]): MutedTopic[] {
  return topics
    .filter(({ visibility_policy }) => visibility_policy === TopicVisibility.muted)
    .filter(({ is_channel_shown }) => Boolean(is_channel_shown))
    .map((row) => [row.channel_name, row.topic, row.updated_at_seconds])
}

/** @throws {ChatError} `BAD_REQUEST` if the topic is too long. */
export function requireTopic(text: string): string {
  const topic = interpretTopic(text)
  if (codePointLength(topic) > limits.maxTopicLength) {
    throw badRequest(`topic is too long (limit: ${limits.maxTopicLength} characters)`)
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
