import { createHash } from 'node:crypto'

import { inject, injectAll } from 'tsyringe'

import type { EditHistoryItem } from '../../../domain/messages/edit-history.js'
import { isMeMessage, normalizeContent } from '../../../domain/messages/message-content.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'
import { UnwrittenMessageRepository } from '../../channels/unwritten-messages/index.js'
import { contentTraits, MessageRenderer } from '../../content/rendering/index.js'
import { AttachmentClaims, type Attachment } from '../../files/attachments/index.js'
import { Mentions } from '../sending/index.js'
import type { MessageUpdate } from './message-edit-events.js'
import { MessageEditRepository } from './message-edit-repository.js'
import {
  MessageEditStepToken,
  type MessageEditStep,
  type StoredEdit,
} from './message-edit-steps.js'
import { UserMessageRepository } from './user-message-repository.js'

/** The result of an edit of the content. */
export interface ContentChange {
  /** The keys that it adds to the event. */
  readonly update: Pick<
    MessageUpdate,
    'orig_content' | 'orig_rendered_content' | 'content' | 'rendered_content' | 'is_me_message'
  >
  /** The sender's attachments that no message links to any longer. */
  readonly detachedUploads: readonly Attachment[]
  /** The keys that it adds to the item of the edit history. */
  readonly history: { readonly prev_content: string; readonly prev_rendered_content: string }
}

/** Changes the content of messages. */
@perServer()
export class ContentEdit {
  constructor(
    @inject(MessageRenderer) private readonly renderer: MessageRenderer,
    @inject(Mentions) private readonly mentions: Mentions,
    @inject(AttachmentClaims) private readonly attachments: AttachmentClaims,
    @inject(MessageEditRepository) private readonly edits: MessageEditRepository,
    @inject(UserMessageRepository) private readonly userMessages: UserMessageRepository,
    @inject(UnwrittenMessageRepository)
    private readonly unwrittenMessages: UnwrittenMessageRepository,
    @injectAll(MessageEditStepToken) private readonly steps: readonly MessageEditStep[],
  ) {}

  /** @throws {ChatError} `BAD_REQUEST` if the message has a widget, whose data is its content. */
  async requireNoWidget(tx: Transaction, message: MessageRow): Promise<void> {
    if (await this.edits.hasSubmessages(tx, message.id)) {
      throw badRequest('WIDGET_NOT_EDITED')
    }
  }

  /** @throws {ChatError} `EXPECTATION_MISMATCH` if the content changed since the client read it. */
  requireUnchanged(message: MessageRow, expectedSha256: string): void {
    const actual = createHash('sha256').update(message.content).digest('hex')
    if (actual === expectedSha256) return
    throw new ChatError('EXPECTATION_MISMATCH', { fields: { field_name: 'prev_content_sha256' } })
  }

  /** The content as it is stored; blank content is stored as `(deleted)`. */
  normalize(content: string): string {
    return content.trim() === '' ? '(deleted)' : normalizeContent(content)
  }

  /**
   * @param topic the topic after the edit.
   * @throws {ChatError} the errors of sending if `actor` may not use the mentions.
   */
  async requireMentions(
    tx: Transaction,
    actor: Actor,
    message: MessageRow,
    content: string,
    topic: string,
  ): Promise<void> {
    const rendered = await this.renderer.render(tx, actor, content)
    await this.mentions.flags(tx, actor, rendered, placeOf(message, topic))
  }

  /**
   * Stores the new content and the flags of its recipients.
   *
   * @param topic the topic after the edit, for wildcard mentions.
   */
  async apply(
    tx: Transaction,
    actor: Actor,
    message: MessageRow,
    content: string,
    topic: string,
    editedAtSeconds: number,
    historyItem: (change: ContentChange['history']) => EditHistoryItem,
  ): Promise<ContentChange> {
    const rendered = await this.renderer.render(tx, actor, content)
    const flags = await this.mentions.flags(tx, actor, rendered, placeOf(message, topic))
    const history = {
      prev_content: message.content,
      prev_rendered_content: message.rendered_content,
    }
    const following: ((edit: StoredEdit) => Promise<void>)[] = []
    for (const step of this.steps) following.push(await step.beginEdit(tx, message))
    await this.edits.updateContent(
      tx,
      message,
      {
        content,
        rendered_content: rendered.html,
        content_traits: rendered.traits,
        shared_flags: message.channel_id === null ? 0 : flags.forEveryone,
        last_edited_at_seconds: editedAtSeconds,
      },
      topic,
      historyItem(history),
    )
    if (message.channel_id !== null) {
      await this.unwrittenMessages.writeMessages(tx, [message.id], [...flags.ofUsers.keys()])
    }
    await this.userMessages.updateTextFlags(tx, message.id, flags)
    const beginsToMentionAll = (flags.forEveryone & ~message.shared_flags) !== 0
    for (const endEdit of following) await endEdit({ beginsToMentionAll })
    const hadLinks = (message.content_traits & contentTraits.attachment) !== 0
    return {
      history,
      detachedUploads: await this.attachments.reclaim(
        tx,
        message,
        rendered.attachmentIds,
        hadLinks,
      ),
      update: {
        orig_content: message.content,
        orig_rendered_content: message.rendered_content,
        content,
        rendered_content: rendered.html,
        is_me_message: isMeMessage(content),
      },
    }
  }
}

function placeOf(
  { channel_id }: MessageRow,
  topic: string,
): { readonly channelId: number; readonly topic: string } | null {
  return channel_id === null ? null : { channelId: channel_id, topic }
}
