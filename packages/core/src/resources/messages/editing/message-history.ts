import { inject } from 'tsyringe'

import type { EditHistoryItem } from '../../../domain/messages/edit-history.js'
import { emptyTopicDisplayName } from '../../../domain/messages/topics.js'
import type { Actor } from '../../../domain/users/actor.js'
import { parseUserSettings } from '../../../domain/users/user-settings.js'
import { badRequest } from '../../../errors/index.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database } from '../../../storage/index.js'
import { MessageAccess } from '../../channels/message-permissions/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UserRepository } from '../../people/users/index.js'
import { visibleEditHistory } from '../objects/index.js'
import { htmlDiff } from './html-diff.js'
import { UserMessageRepository } from './user-message-repository.js'

/** Maximum size in bytes of the versions of a message in an answer, as JSON. */
export const maxVersionBytes = 4 * 1024 * 1024

/** Above this many bytes of newer versions, older ones are not compared. */
const maxComparedBytes = 1024 * 1024

/** A version of a message: as it was sent, or after a change. */
export interface MessageVersion {
  topic: string
  content: string
  rendered_content: string
  user_id: number | null
  timestamp: number
  prev_topic?: string
  prev_stream?: number
  stream?: number
  prev_content?: string
  prev_rendered_content?: string
  content_html_diff?: string
}

type VersionState = Pick<MessageVersion, 'topic' | 'content' | 'rendered_content'>

/** Returns the versions and the read receipts of messages. */
@perServer()
export class MessageHistory {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(MessageAccess) private readonly access: MessageAccess,
    @inject(UserMessageRepository) private readonly userMessages: UserMessageRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserRepository) private readonly users: UserRepository,
  ) {}

  /**
   * The versions of a message, oldest first. Beyond 1 MiB, older ones have no `content_html_diff`;
   * beyond 4 MiB, only the oldest is returned.
   *
   * @throws {ChatError} `BAD_REQUEST` if histories are disabled, or `actor` cannot see the message.
   */
  async versions(
    actor: Actor,
    messageId: number,
    allowsEmptyTopics: boolean,
  ): Promise<MessageVersion[]> {
    const { settings } = await this.organizations.require(actor.organizationId)
    const policy = settings.message_edit_history_visibility_policy
    if (policy === 'none') {
      throw badRequest('EDIT_HISTORY_DISABLED')
    }
    const scope = this.database.read(actor.organizationId)
    const { message } = await this.access.requireVisible(scope, actor, messageId)
    const items = visibleEditHistory(message.edit_history, policy, allowsEmptyTopics) ?? []
    const hidesEmptyTopic = message.channel_id !== null && !allowsEmptyTopics
    const now = {
      topic: message.topic === '' && hidesEmptyTopic ? emptyTopicDisplayName : message.topic,
      content: message.content,
      rendered_content: message.rendered_content,
    }
    return snapshotsOf(now, items, message.sender_id, message.sent_at_seconds)
  }

  /**
   * The users who have read a message and who send read receipts, ascending.
   *
   * @throws {ChatError} `BAD_REQUEST` if receipts are disabled, or `actor` cannot see the message.
   */
  async usersWhoRead(actor: Actor, messageId: number): Promise<number[]> {
    const scope = this.database.read(actor.organizationId)
    const { message } = await this.access.requireVisible(scope, actor, messageId)
    const { settings } = await this.organizations.require(actor.organizationId)
    if (!settings.enable_read_receipts) {
      throw badRequest('READ_RECEIPTS_DISABLED')
    }
    const muted = await this.users.listMutesWith(scope, actor.userId)
    const rows = await this.userMessages.listReaders(scope, messageId, [
      message.sender_id,
      ...muted,
    ])
    return rows
      .filter((row) => parseUserSettings(row.settings).send_read_receipts)
      .map((row) => row.user_id)
  }
}

/** Reconstructs the versions backwards from the current one, one change at a time. */
async function snapshotsOf(
  now: VersionState,
  newestFirst: readonly EditHistoryItem[],
  senderId: number,
  sentAtSeconds: number,
): Promise<MessageVersion[]> {
  const yielder = new EventLoopYielder()
  const versions: MessageVersion[] = []
  const oldest = {
    ...newestFirst.reduce(stateBefore, now),
    user_id: senderId,
    timestamp: sentAtSeconds,
  }
  let bytes = Buffer.byteLength(JSON.stringify(oldest))
  let state = now
  for (const item of newestFirst) {
    if (yielder.isDue) await yielder.yield()
    if (bytes <= maxVersionBytes) {
      const comparedTo = bytes <= maxComparedBytes ? state.rendered_content : undefined
      const version = { ...state, ...changesOf(item, comparedTo) }
      bytes += Buffer.byteLength(JSON.stringify(version))
      if (bytes <= maxVersionBytes) versions.push(version)
    }
    state = stateBefore(state, item)
  }
  versions.push(oldest)
  return versions.reverse()
}

function stateBefore(state: VersionState, item: EditHistoryItem): VersionState {
  return {
    topic: item.prev_topic ?? state.topic,
    content: item.prev_content ?? state.content,
    rendered_content: item.prev_rendered_content ?? state.rendered_content,
  }
}

/** @param renderedContent undefined if the version is not compared. */
function changesOf(
  item: EditHistoryItem,
  renderedContent: string | undefined,
): Pick<MessageVersion, 'user_id' | 'timestamp'> & Partial<MessageVersion> {
  const { user_id, timestamp, prev_topic, prev_stream, stream } = item
  const { prev_content, prev_rendered_content } = item
  return {
    user_id,
    timestamp,
    ...(prev_topic === undefined ? {} : { prev_topic }),
    ...(prev_stream === undefined ? {} : { prev_stream }),
    ...(stream === undefined ? {} : { stream }),
    ...(prev_content === undefined ? {} : { prev_content }),
    ...(prev_rendered_content === undefined ? {} : { prev_rendered_content }),
    ...(prev_rendered_content === undefined || renderedContent === undefined
      ? {}
      : { content_html_diff: htmlDiff(prev_rendered_content, renderedContent) }),
  }
}
