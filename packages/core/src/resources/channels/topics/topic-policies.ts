import { inject } from 'tsyringe'

import { topicKey } from '../../../domain/messages/topics.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { groupBy } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import type { Transaction } from '../../../storage/index.js'
import { mutedTopicsChanged, userTopicChanged } from './user-topic-events.js'
import { UserTopicRepository } from './user-topic-repository.js'
import { userTopics, type UserTopicRow } from './user-topics-table.js'
import { mutedTopics, TopicVisibility } from './user-topic-service.js'

/** A topic of a channel. */
export interface PolicyPlace {
  readonly channelId: number
  readonly topic: string
}

/** From the least visible to the most visible policy. */
const byVisibility: readonly number[] = [
  TopicVisibility.muted,
  TopicVisibility.none,
  TopicVisibility.unmuted,
  TopicVisibility.followed,
]

/** One user's new policy for a topic. */
interface Change {
  readonly userId: number
  readonly policy: number
  /** In the spelling of the user's row. */
  readonly topic: string
}

/**
 * Updates users' topic policies when topics are moved or deleted. The number of statements does not
 * depend on the number of users.
 */
@perServer()
export class TopicPolicies {
  constructor(
    @inject(UserTopicRepository) private readonly topics: UserTopicRepository,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * Moves all users' policies for a topic after the whole topic was moved. If the new topic already
   * had messages, the more visible of both policies applies.
   *
   * @param reachable those of the users who can access the new channel.
   */
  async move(
    tx: Transaction,
    from: PolicyPlace,
    to: PolicyPlace & { readonly hadMessages: boolean },
    reachable: (userIds: readonly number[]) => ReadonlySet<number>,
  ): Promise<void> {
    const isSame = from.channelId === to.channelId && topicKey(from.topic) === topicKey(to.topic)
    if (isSame) return
    const old = await tx
      .rows(userTopics)
      .list({ channel_id: from.channelId, topic_key: topicKey(from.topic) }, 'user_id')
    const present = await tx
      .rows(userTopics)
      .list({ channel_id: to.channelId, topic_key: topicKey(to.topic) }, 'user_id')
    if (old.length + present.length === 0) return
    const following = reachable(old.map(({ user_id }) => user_id))
    const moved = new Map(
      old
        .filter(({ user_id }) => following.has(user_id))
        .map(({ user_id, visibility_policy }) => [user_id, visibility_policy]),
    )
    const known = new Map(present.map((row) => [row.user_id, row]))
    const changes: Change[] = []
    for (const userId of new Set([...moved.keys(), ...known.keys()])) {
      const brought = moved.get(userId) ?? TopicVisibility.none
      const there = known.get(userId)?.visibility_policy ?? TopicVisibility.none
      const policy = to.hadMessages ? moreVisible(brought, there) : brought
      if (policy === there) continue
      changes.push({ userId, policy, topic: known.get(userId)?.topic ?? to.topic })
    }
    await this.#store(tx, from, old, to, changes)
  }

  /** Removes all users' policies for a deleted topic. */
  async clear(tx: Transaction, from: PolicyPlace): Promise<void> {
    const old = await tx
      .rows(userTopics)
      .list({ channel_id: from.channelId, topic_key: topicKey(from.topic) }, 'user_id')
    await this.#store(tx, from, old, from, [])
  }

  async #store(
    tx: Transaction,
    from: PolicyPlace,
    old: readonly UserTopicRow[],
    to: PolicyPlace,
    changes: readonly Change[],
  ): Promise<void> {
    const concerned = [...old.map(({ user_id }) => user_id), ...changes.map(({ userId }) => userId)]
    if (concerned.length === 0) return
    const updatedAtSeconds = nowSeconds(this.clock)
    const oldIds = old.map(({ user_id }) => user_id)
    await this.topics.deleteMany(tx, oldIds, from.channelId, topicKey(from.topic))
    for (const [policy, group] of groupBy(changes, ({ policy: value }) => value)) {
      const userIds = group.map(({ userId }) => userId)
      if (policy === TopicVisibility.none) {
        await this.topics.deleteMany(tx, userIds, to.channelId, topicKey(to.topic))
        continue
      }
      await this.topics.setMany(tx, userIds, {
        channel_id: to.channelId,
        topic: to.topic,
        topic_key: topicKey(to.topic),
        visibility_policy: policy,
        updated_at_seconds: updatedAtSeconds,
      })
    }
    await this.#emitMuted(tx, [...new Set(concerned)])
    const removed = old.map(({ user_id, topic }) => ({
      userId: user_id,
      policy: TopicVisibility.none,
      topic,
    }))
    this.#emitChanges(tx, from.channelId, removed, updatedAtSeconds)
    this.#emitChanges(tx, to.channelId, changes, updatedAtSeconds)
  }

  async #emitMuted(tx: Transaction, userIds: readonly number[]): Promise<void> {
    const rows = groupBy(await this.topics.listMuted(tx, userIds), ({ user_id }) => user_id)
    const lists = userIds.map((userId) => ({ userId, muted: mutedTopics(rows.get(userId) ?? []) }))
    for (const group of groupBy(lists, ({ muted }) => JSON.stringify(muted)).values()) {
      const audience = { userIds: group.map(({ userId }) => userId) }
      tx.emit(mutedTopicsChanged(audience, { mutedTopics: group[0].muted }))
    }
  }

  #emitChanges(
    tx: Transaction,
    channelId: number,
    changes: readonly Change[],
    updatedAtSeconds: number,
  ): void {
    for (const group of groupBy(changes, ({ policy, topic }) => `${policy} ${topic}`).values()) {
      const [{ topic, policy }] = group
      tx.emit(
        userTopicChanged(
          { userIds: group.map(({ userId }) => userId) },
          { channelId, topic, updatedAtSeconds, visibilityPolicy: policy },
        ),
      )
    }
  }
}

function moreVisible(one: number, other: number): number {
  return byVisibility.indexOf(one) > byVisibility.indexOf(other) ? one : other
}
