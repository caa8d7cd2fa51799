import { Type } from 'typebox'

import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { submessages } from './submessages-table.js'
import { requireJson } from './submessage-service.js'

const FileSubmessage = Type.Object(
  {
    message_id: FileId,
    sender_id: FileId,
    content: Type.String({ description: 'JSON; its schema is up to the clients.' }),
  },
  closed,
)

export const submessageFile = defineFileSection({
  key: 'submessages',
  summary:
    'Submessages of polls and lists that have ids. The polls and lists themselves are messages such as `/poll`.',
  item: FileSubmessage,
  rowsOf: submessages,
  rows: () => (item) => ({ ...item, msg_type: 'widget' }),
  async check(items, check) {
    for await (const { place, item } of items) {
      check.requireKnown(`${place}/message_id`, 'message', item.message_id)
      check.requireKnown(`${place}/sender_id`, 'user', item.sender_id)
      check.requireRule(`${place}/content`, () => requireJson(item.content))
    }
  },
})
