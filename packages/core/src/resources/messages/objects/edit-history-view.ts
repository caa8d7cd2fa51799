import type { EditHistoryItem } from '../../../domain/messages/edit-history.js'
import { emptyTopicDisplayName } from '../../../domain/messages/topics.js'
import type { OrganizationSettings } from '../../../domain/organizations/organization-settings.js'
import { parseJson } from '../../../storage/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'

/**
 * The parts of a message's edit history that a client may see.
 *
 * @param json items as clients receive them, newest first.
 * @returns undefined if there are none.
 */
export function visibleEditHistory(
  json: MessageRow['edit_history'],
  policy: OrganizationSettings['message_edit_history_visibility_policy'],
  allowsEmptyTopics: boolean,
): EditHistoryItem[] | undefined {
  if (json === null || policy === 'none') return undefined
  let items = [...parseJson(json)]
  if (policy === 'moves') items = items.filter(isMove).map(withoutContent)
  if (!allowsEmptyTopics) items = items.map(withNamedTopics)
  return items.length === 0 ? undefined : items
}

function isMove(item: EditHistoryItem): boolean {
  return item.prev_topic !== undefined || item.prev_stream !== undefined
}

function withoutContent(item: EditHistoryItem): EditHistoryItem {
  const { prev_content: _content, prev_rendered_content: _rendered, ...move } = item
  return move
}

function withNamedTopics(item: EditHistoryItem): EditHistoryItem {
  return {
    ...item,
    ...(item.prev_topic === '' ? { prev_topic: emptyTopicDisplayName } : {}),
    ...(item.topic === '' ? { topic: emptyTopicDisplayName } : {}),
  }
}
