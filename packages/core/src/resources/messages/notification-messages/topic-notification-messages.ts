import { inject } from 'tsyringe'

import { normalizeContent } from '../../../domain/messages/message-content.js'
import { MessageFlag } from '../../../domain/messages/message-flags.js'
import { resolvedTopicPrefix, topicKey } from '../../../domain/messages/topics.js'
import type { Actor } from '../../../domain/users/actor.js'
import { systemBots } from '../../../domain/users/system-bots.js'
import { parseUserSettings } from '../../../domain/users/user-settings.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { encodeForHash } from '../../../markdown/index.js'
import type { Transaction } from '../../../storage/index.js'
import { namedText, Translator, type NamedText } from '../../../texts/index.js'
import type { ChannelRow } from '../../channels/channels/index.js'
import { TopicVisibility } from '../../channels/topics/index.js'
import type { SystemBotDraft } from '../sending/index.js'
import { NotificationMessageRepository } from './notification-message-repository.js'
import { NotificationMessageSender } from './notification-message-sender.js'
import { mentionStart, topicLink } from './notification-texts.js'

/** Within this time, in seconds, undoing a change deletes its notification message. */
const graceSeconds = 60
const toggleTexts = ['TOPIC_RESOLVED_MESSAGE', 'TOPIC_UNRESOLVED_MESSAGE'] as const

interface TopicPlace {
  readonly channel: ChannelRow
  readonly topic: string
}

/** A move of messages. */
export interface Move {
  readonly from: TopicPlace
  readonly to: TopicPlace
  /** Ascending. */
  readonly messageIds: readonly number[]
  /** Whether the former topic has no messages left. */
  readonly isWholeTopic: boolean
  readonly notifiesOldTopic: boolean
  readonly notifiesNewTopic: boolean
}

/** Sends notification messages to topics that were moved, resolved or unresolved. */
@perServer()
export class TopicNotificationMessages {
  constructor(
    @inject(NotificationMessageSender) private readonly sender: NotificationMessageSender,
    @inject(NotificationMessageRepository)
    private readonly repository: NotificationMessageRepository,
    @inject(Translator) private readonly translator: Translator,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * Posts that a topic was marked as resolved or unresolved. Must be called after the change.
   *
   * @returns the id of a recent message about the opposite change, to delete instead of posting.
   */
  async toggled(
    tx: Transaction,
    actor: Actor,
    { channel, topic }: TopicPlace,
    oldTopic: string,
  ): Promise<number | undefined> {
    const newest = await this.repository.newestInTopic(tx, channel.id, topicKey(topic))
    const isFresh = nowSeconds(this.clock) - (newest?.sent_at_seconds ?? 0) < graceSeconds
    const isToggleMessage =
      newest?.sender_id === systemBots.notification.id && this.#isToggleText(newest.content)
    if (newest !== undefined && isFresh && isToggleMessage) return newest.id
    const isResolved = topic.startsWith(resolvedTopicPrefix)
    const user = await this.sender.nameOf(tx, actor)
    const flags = await this.#toggleFlags(tx, channel.id, [topicKey(topic), topicKey(oldTopic)])
    const content = namedText(toggleTexts[isResolved ? 0 : 1], { user })
    await this.sender.send(tx, actor, [{ to: { channelId: channel.id, topic }, content, flags }])
    return undefined
  }

  /** Posts to the former and the new topic of a move, as requested. */
  async moved(tx: Transaction, actor: Actor, move: Move): Promise<void> {
    if (!move.notifiesNewTopic && !move.notifiesOldTopic) return
    const user = await this.sender.nameOf(tx, actor)
    const drafts: SystemBotDraft[] = []
    if (move.notifiesNewTopic) {
      drafts.push({
        to: { channelId: move.to.channel.id, topic: move.to.topic },
        content: arrivalText(move, user),
      })
    }
    if (move.notifiesOldTopic) {
      drafts.push({
        to: { channelId: move.from.channel.id, topic: move.from.topic },
        content: departureText(move, user),
      })
    }
    await this.sender.send(tx, actor, drafts)
  }

  /** Whether a message of the bot is about such a change, in any language of the server. */
  #isToggleText(content: string): boolean {
    const [start, end] = [content.indexOf(mentionStart), content.lastIndexOf('**')]
    const user = start < 0 || end < start ? '' : content.slice(start, end + 2)
    return toggleTexts.some((name) =>
      this.translator.locales.some((locale) => {
        const text = this.translator.textOf(namedText(name, { user }), locale)
        return normalizeContent(text) === content
      }),
    )
  }

  /** Flags the message as read for users whose settings request that. */
  async #toggleFlags(
    tx: Transaction,
    channelId: number,
    topicKeys: readonly string[],
  ): Promise<ReadonlyMap<number, number>> {
    const receivers = await this.repository.listReceivers(tx, channelId)
    const followers = new Set(
      await this.repository.listUsersWithPolicy(tx, channelId, topicKeys, TopicVisibility.followed),
    )
    const autoReading = receivers.filter(({ id, settings }) => {
      const policy = parseUserSettings(settings).resolved_topic_notice_auto_read_policy
      return policy === 'always' || (policy === 'except_followed' && !followers.has(id))
    })
    return new Map(autoReading.map(({ id }) => [id, MessageFlag.read]))
  }
}

/** A link to `place`, except to another private channel, whose name must not be disclosed. */
function otherPlace(place: TopicPlace, shownIn: TopicPlace): string | NamedText {
  const { channel, topic } = place
  if (channel.is_private && channel.id !== shownIn.channel.id) {
    return namedText('PRIVATE_CHANNEL_PLACE')
  }
  return topicLink(channel.name, topic)
}

function arrivalText({ from, to, messageIds, isWholeTopic }: Move, user: string): NamedText {
  const place = otherPlace(from, to)
  if (isWholeTopic) return namedText('TOPIC_ARRIVED_MESSAGE', { place, user })
  const count = messageIds.length
  if (count > 1) return namedText('MESSAGES_ARRIVED_MESSAGE', { count, place, user })
  const slug = `${to.channel.id}-${encodeForHash(to.channel.name.replaceAll(' ', '-'))}`
  const url = `/#narrow/channel/${slug}/topic/${encodeForHash(to.topic)}/near/${messageIds[0]}`
  return namedText('MESSAGE_ARRIVED_MESSAGE', { url, place, user })
}

function departureText({ from, to, messageIds, isWholeTopic }: Move, user: string): NamedText {
  const place = otherPlace(to, from)
  if (isWholeTopic) return namedText('TOPIC_DEPARTED_MESSAGE', { place, user })
  const count = messageIds.length
  return count === 1
    ? namedText('MESSAGE_DEPARTED_MESSAGE', { place, user })
    : namedText('MESSAGES_DEPARTED_MESSAGE', { count, place, user })
}
