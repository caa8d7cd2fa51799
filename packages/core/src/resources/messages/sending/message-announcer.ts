import { inject, injectAll } from 'tsyringe'

import { isMeMessage } from '../../../domain/messages/message-content.js'
import { flagNames } from '../../../domain/messages/message-flags.js'
import type { Audience, RecipientGroup } from '../../../events/event.js'
import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import type { Transaction } from '../../../storage/index.js'
import { TopicLinks } from '../../content/linkifiers/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import { apiEmail, avatarUrl, unknownUser } from '../../people/users/index.js'
import {
  displayRecipient,
  MessageDecorationToken,
  type MessageDecoration,
  type UserMessageFlags,
  type MessageParts,
} from '../objects/index.js'
import { messageSent, type NewMessageData } from './message-events.js'
import type { StagedMessage } from './message-stages.js'

/** The recipient of a message on the wire. */
type MessageRecipient = Pick<
  NewMessageData['message'],
  'type' | 'display_recipient' | 'recipient_id'
> & { readonly stream_id?: number }

/** Emits the events of new messages. */
@perServer()
export class MessageAnnouncer {
  constructor(
    @injectAll(MessageDecorationToken)
    private readonly decorations: readonly MessageDecoration[],
    @inject(TopicLinks) private readonly topicLinks: TopicLinks,
    @inject(UserAccess) private readonly userAccess: UserAccess,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  async announce(tx: Transaction, audience: Audience, message: StagedMessage): Promise<void> {
    const { sender, topic, content, flags, local } = message
    const organization = await this.organizations.requireWithin(tx)
    tx.emit(
      messageSent(
        audience,
        {
          message: {
            id: message.id,
            sender_id: sender.id,
            sender_email: apiEmail(sender, this.facts),
            sender_full_name: sender.full_name,
            sender_realm_str: organization.subdomain,
            client: message.clientName,
            timestamp: message.sentAtSeconds,
            is_me_message: isMeMessage(content),
            topic_links: await this.#topicLinks(tx, message),
            reactions: [],
            submessages: [],
            ...(await this.#begin(tx, message)),
            ...this.#recipient(message),
          },
          topic,
          content,
          renderedContent: message.rendered.html,
          avatarUrl: avatarUrl(sender, this.facts, { clientGravatar: false }),
          commonFlags: flagNames(flags.forEveryone),
          ...(await this.#unknownSender(tx, message)),
          isGravatarPublic: avatarUrl(sender, this.facts, { clientGravatar: true }) === null,
          ...(local === undefined ? {} : { local }),
        },
        flagGroups(flags),
      ),
    )
  }

  #recipient({ destination, recipientId }: StagedMessage): MessageRecipient {
    if (destination.kind === 'direct') {
      return {
        type: 'private',
        recipient_id: recipientId,
        display_recipient: displayRecipient(destination.participants, this.facts),
      }
    }
    const { id, name } = destination.channel
    return { type: 'stream', stream_id: id, recipient_id: recipientId, display_recipient: name }
  }

  async #begin(
    tx: Transaction,
    { id, sender, widget }: StagedMessage,
  ): Promise<Partial<MessageParts>> {
    if (widget === undefined) return {}
    let parts: Partial<MessageParts> = {}
    for (const decoration of this.decorations) {
      parts = { ...parts, ...(await decoration.begin?.(tx, { id, senderId: sender.id }, widget)) }
    }
    return parts
  }

  /** Only messages in channels can have recipients without access to their sender. */
  async #unknownSender(
    tx: Transaction,
    { sender, destination }: StagedMessage,
  ): Promise<Pick<NewMessageData, 'unknownSender'>> {
    if (destination.kind !== 'channel') return {}
    const toUserIds = await this.userAccess.guestsWithoutAccess(tx, sender)
    if (toUserIds.length === 0) return {}
    const { full_name, email, avatar_url } = unknownUser(sender.id, this.facts)
    const fields = { sender_full_name: full_name, sender_email: email, avatar_url }
    return { unknownSender: { toUserIds, fields } }
  }

  async #topicLinks(
    tx: Transaction,
    { destination, topic }: StagedMessage,
  ): Promise<MessageParts['topic_links']> {
    if (destination.kind !== 'channel') return []
    return (await this.topicLinks.of(tx.organizationId, [topic])).get(topic) ?? []
  }
}

function flagGroups({ ofUsers, forEveryone }: UserMessageFlags): readonly RecipientGroup[] {
  const byMask = new Map<number, number[]>()
  for (const [userId, mask] of ofUsers) addTo(byMask, mask, userId)
  return [...byMask].map(([mask, userIds]) => ({
    userIds,
    fields: { flags: flagNames(mask | forEveryone) },
  }))
}
