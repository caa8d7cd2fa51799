import { inject } from 'tsyringe'

import { BotType } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import type { RenderedContent } from '../../content/rendering/index.js'
import { MessageRepository } from '../objects/index.js'
import type { Destination } from './message-stages.js'

/** The bots that a message concerns in addition to the subscribers of its channel. */
interface ConcernedBots {
  /** Mentioned bots that are not subscribed and get a user message. */
  readonly addedIds: readonly number[]
  /** Bots whose webhooks are called, subscribed or not. */
  readonly calledIds: readonly number[]
}

/** Finds the bots to which messages are delivered; mentioned bots need no subscription. */
@perServer()
export class MentionedBots {
  constructor(@inject(MessageRepository) private readonly messages: MessageRepository) {}

  async find(
    scope: OrganizationScope,
    destination: Destination,
    { mentionedUserIds }: RenderedContent,
  ): Promise<ConcernedBots> {
    if (destination.kind === 'direct') {
      const called = destination.participants.filter(
        (user) => user.is_active && isCalled(user.bot_type),
      )
      return { addedIds: [], calledIds: called.map(({ id }) => id) }
    }
    if (mentionedUserIds.length === 0) return { addedIds: [], calledIds: [] }
    const bots = await this.messages.listBots(scope, destination.channel.id, mentionedUserIds)
    // Outgoing webhook and embedded bots need no user messages.
    const added = bots.filter(
      ({ botType, isSubscribed }) =>
        !isSubscribed && botType !== BotType.outgoingWebhook && botType !== BotType.embedded,
    )
    return {
      addedIds: added.map(({ id }) => id),
      calledIds: bots.filter(({ botType }) => isCalled(botType)).map(({ id }) => id),
    }
  }
}

/** Whether messages to a bot of this type are sent to its webhook. */
function isCalled(botType: number | null): boolean {
  return botType === BotType.outgoingWebhook
}
