import { inject } from 'tsyringe'

import { BotType } from '../../../domain/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import type { RenderedContent } from '../../content/rendering/index.js'
import { MessageRepository, type RecordFlags } from '../objects/index.js'

/** A message that has just been stored in a channel. */
interface ChannelMessage {
  readonly id: number
  readonly channelId: number
  readonly rendered: RenderedContent
  readonly flags: RecordFlags
}

/** Delivers channel messages to mentioned bots, which need no subscription. */
@perServer()
export class MentionedBots {
  constructor(@inject(MessageRepository) private readonly messages: MessageRepository) {}

  /**
   * Inserts user messages for mentioned bots that are not subscribed, except outgoing webhook and
   * embedded bots, which do not need them.
   *
   * @returns the bots that got a user message, and the bots whose webhooks must be called,
   *   subscribed or not.
   */
  async receive(
    tx: Transaction,
    { id, channelId, rendered, flags }: ChannelMessage,
  ): Promise<{ readonly addedIds: readonly number[]; readonly calledBotIds: readonly number[] }> {
    const { mentionedUserIds } = rendered
    if (mentionedUserIds.length === 0) return { addedIds: [], calledBotIds: [] }
    const bots = await this.messages.listBots(tx, channelId, mentionedUserIds)
    const added = bots.filter(
      ({ botType, isSubscribed }) =>
        !isSubscribed && botType !== BotType.outgoingWebhook && botType !== BotType.embedded,
    )
    await this.messages.insertRecords(
      tx,
      id,
      added.map((bot) => ({
        userId: bot.id,
        flags: (flags.ofUsers.get(bot.id) ?? 0) | flags.forEveryone,
      })),
    )
    return {
      addedIds: added.map((bot) => bot.id),
      calledBotIds: bots.filter(({ botType }) => isCalled(botType)).map((bot) => bot.id),
    }
  }
}

/** Whether messages to a bot of this type are sent to its webhook. */
export function isCalled(botType: number | null): boolean {
  return botType === BotType.outgoingWebhook
}
