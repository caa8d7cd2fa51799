import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/actor.js'
import { MessageFlag } from '../../../domain/message-flags.js'
import { requireTopicAllowed, topicKey } from '../../../domain/topics.js'
import { widgetOf } from '../../../domain/widgets.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { PostingPermission } from '../../channels/message-permissions/index.js'
import { MessageRenderer, type RenderedContent } from '../../content/rendering/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UserDirectory } from '../../people/users/index.js'
import type { UserMessageFlags } from '../objects/index.js'
import { DirectRecipients } from './direct-recipients.js'
import { MentionedBots } from './mentioned-bots.js'
import { Mentions } from './mentions.js'
import { isHumanClient, type MessageDraft } from './message-draft.js'
import type { Destination, PreparedMessage } from './message-stages.js'
import { Muters } from './muters.js'

/** Checks the messages that users want to send, and renders them. */
@perServer()
export class MessagePreparation {
  constructor(
    @inject(PostingPermission) private readonly posting: PostingPermission,
    @inject(DirectRecipients) private readonly direct: DirectRecipients,
    @inject(MessageRenderer) private readonly renderer: MessageRenderer,
    @inject(Mentions) private readonly mentions: Mentions,
    @inject(MentionedBots) private readonly bots: MentionedBots,
    @inject(Muters) private readonly muters: Muters,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserDirectory) private readonly users: UserDirectory,
  ) {}

  /**
   * Performs all checks of sending, and writes nothing. Takes a shared lock on the channel until
   * `tx` ends.
   *
   * @throws {ChatError} `BAD_REQUEST` if `actor` may not send the message.
   * @throws {ChatError} `STREAM_DOES_NOT_EXIST` if it names a channel that does not exist.
   * @throws {ChatError} the errors of topic policies and mentions.
   */
  async prepare(tx: Transaction, actor: Actor, draft: MessageDraft): Promise<PreparedMessage> {
    const { topic, content, clientName, queueId, localId } = draft
    const destination = await this.#destination(tx, actor, draft)
    const widget = widgetOf(content, draft.widgetContent)
    const sender = await this.users.require(tx, actor.userId)
    const rendered = await this.renderer.render(tx, actor, content)
    const flags = await this.#flags(tx, actor, draft, destination, rendered)
    const { addedIds, calledIds } = await this.bots.find(tx, destination, rendered)
    return {
      sender,
      destination,
      topic,
      content,
      rendered,
      flags,
      clientName,
      widget,
      local: queueId === undefined || localId === undefined ? undefined : { queueId, localId },
      addedBotIds: addedIds,
      calledBotIds: actor.isBot ? [] : calledIds,
    }
  }

  async #destination(
    tx: Transaction,
    actor: Actor,
    { target, topic, isAnswer }: MessageDraft,
  ): Promise<Destination> {
    if (target.kind === 'direct') {
      const participants = await this.direct.resolve(tx, actor, target.users)
      await this.direct.requireAllowed(tx, actor, participants)
      return { kind: 'direct', participants }
    }
    const key = topicKey(topic)
    const forSender = await this.posting.requireChannel(tx, actor, target.channel, key, isAnswer)
    const { channel } = forSender
    const { settings } = await this.organizations.require(tx.organizationId)
    requireTopicAllowed(topic, channel.topics_policy, settings.topics_policy)
    return { kind: 'channel', channel, forSender }
  }

  /** The flags of the recipients' user messages. */
  async #flags(
    tx: Transaction,
    actor: Actor,
    { topic, clientName, readBySender }: MessageDraft,
    destination: Destination,
    rendered: RenderedContent,
  ): Promise<UserMessageFlags> {
    const place =
      destination.kind === 'direct' ? null : { channelId: destination.channel.id, topic }
    const flags = await this.mentions.flags(tx, actor, rendered, place)
    const readerIds = [...(await this.muters.of(tx.organizationId, actor.userId))]
    if (readBySender ?? isHumanClient(clientName)) readerIds.push(actor.userId)
    const ofUsers = new Map(flags.ofUsers)
    for (const userId of readerIds) {
      ofUsers.set(userId, (ofUsers.get(userId) ?? 0) | MessageFlag.read)
    }
    return { ...flags, ofUsers }
  }
}
