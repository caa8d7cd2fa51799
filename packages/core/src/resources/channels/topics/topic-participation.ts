import { inject } from 'tsyringe'

import { topicKey } from '../../../domain/messages/topics.js'
import { parseUserSettings, type UserSettingsJson } from '../../../domain/users/user-settings.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import type { ChannelForUser } from '../channels/index.js'
import { UserTopicRepository } from './user-topic-repository.js'
import { TopicVisibility, UserTopicService } from './user-topic-service.js'

/** The value of two settings that applies to any participation in a topic. */
const participation = 1

/** A user who participates in a topic. */
export interface Participant {
  readonly id: number
  readonly is_bot: boolean
  readonly settings: UserSettingsJson
}

/** Follows or unmutes topics for users who react or vote in them, according to their settings. */
@perServer()
export class TopicParticipation {
  constructor(
    @inject(UserTopicRepository) private readonly topics: UserTopicRepository,
    @inject(UserTopicService) private readonly userTopics: UserTopicService,
  ) {}

  /**
   * Must be called before the events about the user's action.
   *
   * @param found the channel from the user's point of view; undefined for direct messages.
   */
  async note(
    tx: Transaction,
    user: Participant,
    found: ChannelForUser | undefined,
    topic: string,
  ): Promise<void> {
    if (found === undefined || !found.isSubscribed || user.is_bot) return
    const policy = policyOf(user, found.isMuted)
    if (policy === undefined) return
    const { id } = found.channel
    const known = await this.topics.find(tx, user.id, id, topicKey(topic))
    if (known?.visibility_policy === TopicVisibility.followed) return
    await this.userTopics.setWithin(tx, user.id, id, topic, policy)
  }
}

function policyOf({ settings }: Participant, isMuted: boolean): number | undefined {
  const {
    automatically_follow_topics_policy: following,
    automatically_unmute_topics_in_muted_streams_policy: unmuting,
  } = parseUserSettings(settings)
  if (following === participation) return TopicVisibility.followed
  return isMuted && unmuting === participation ? TopicVisibility.unmuted : undefined
}
