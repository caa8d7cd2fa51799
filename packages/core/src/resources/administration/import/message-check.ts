import { normalizeContent } from '../../../domain/messages/message-content.js'
import { normalizeTopic } from '../../../domain/messages/topics.js'
import type { FileCheck } from '../../../resource-definition/file-check.js'

/** Reports problems with the messages of a file. */
export async function checkMessages(check: FileCheck): Promise<void> {
  const id = check.once()
  for await (const { place, item } of check.each('messages')) {
    if (item.id !== undefined) id(`${place}/id`, item.id)
    check.requireKnown(`${place}/sender_id`, 'user', item.sender_id)
    for (const key of ['to', 'read_by', 'starred_by', 'collapsed_by'] as const) {
      check.requireAllKnown(`${place}/${key}`, 'user', item[key])
    }
    if ((item.channel_id === undefined) === (item.to === undefined)) {
      check.report(place, 'needs either channel_id or to')
    }
    if (item.channel_id !== undefined) {
      check.requireKnown(`${place}/channel_id`, 'channel', item.channel_id)
      if (item.topic === undefined) check.report(place, 'needs a topic')
    }
    check.requireRule(`${place}/topic`, () => normalizeTopic(item.topic ?? ''))
    check.requireRule(`${place}/content`, () => normalizeContent(item.content))
  }
}
