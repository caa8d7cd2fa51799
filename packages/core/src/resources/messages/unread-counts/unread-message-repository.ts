import { perServer } from '../../../kernel/per-server.js'
import { idList, type OrganizationScope } from '../../../storage/index.js'
import type { ChannelRow } from '../../channels/channels/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'

/** A message with the beginning of its HTML. */
export type BeginningOfMessage = Pick<
  MessageRow,
  'id' | 'sender_id' | 'topic' | 'sent_at_seconds'
> & {
  readonly html: string
}

export type UnreadChannelRow = Pick<
  ChannelRow,
  'id' | 'external_id' | 'name' | 'is_private' | 'is_web_public'
>

/** Some of the participants of a direct conversation. */
export interface FirstParticipant {
  readonly recipient_id: number
  readonly user_id: number
  readonly participant_count: number
}

/** Reads what is shown of places with unread messages. */
@perServer()
export class UnreadMessageRepository {
  /** @param maxLength of the HTML, in characters. */
  async listMessages(
    scope: OrganizationScope,
    ids: readonly number[],
    maxLength: number,
  ): Promise<BeginningOfMessage[]> {
    if (ids.length === 0) return []
    const query = scope.queryAs('messages', 'm').whereRaw(`m.id IN (${idList(ids)})`)
    return scope.listRows<BeginningOfMessage>(query, {
      id: 'm.id',
      sender_id: 'm.sender_id',
      topic: 'm.topic',
      sent_at_seconds: 'm.sent_at_seconds',
      html: scope.executor.raw('SUBSTR(m.rendered_content, 1, ?)', [maxLength]),
    })
  }

  async listChannels(
    scope: OrganizationScope,
    ids: readonly number[],
  ): Promise<UnreadChannelRow[]> {
    if (ids.length === 0) return []
    const query = scope.query('channels').whereRaw(`id IN (${idList(ids)})`)
    return scope.listRows<UnreadChannelRow>(query, [
      'id',
      'external_id',
      'name',
      'is_private',
      'is_web_public',
    ])
  }

  /** The first participants of each direct conversation, ascending. */
  async listParticipants(
    scope: OrganizationScope,
    recipientIds: readonly number[],
    maxPerConversation: number,
  ): Promise<FirstParticipant[]> {
    if (recipientIds.length === 0) return []
    return scope.listRawRows<FirstParticipant>(
      `SELECT recipient_id, user_id, participant_count FROM (
         SELECT recipient_id, user_id,
           ROW_NUMBER() OVER (PARTITION BY recipient_id ORDER BY user_id) AS place,
           COUNT(*) OVER (PARTITION BY recipient_id) AS participant_count
         FROM ${scope.table('recipient_members')}
         WHERE organization_id = ? AND recipient_id IN (${idList(recipientIds)})
       ) participants WHERE place <= ? ORDER BY recipient_id, user_id`,
      [scope.organizationId, maxPerConversation],
      ['recipient_id', 'user_id', 'participant_count'],
    )
  }
}
