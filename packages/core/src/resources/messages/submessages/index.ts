import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { limits } from '../../../domain/limits.js'
import { defineCommand } from '../../../http/operation.js'
import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { submessageAdded } from './submessage-events.js'
import { requireJson, SubmessageService } from './submessage-service.js'
import { submessages as table } from './submessages-table.js'

export { SubmessageDecoration } from './submessage-decoration.js'
export { SubmessageRepository } from './submessage-repository.js'

const addSubmessage = defineCommand({
  id: 'add-submessage',
  summary: 'Add a submessage to a message with a widget, such as a vote in a poll.',
  method: 'POST',
  path: '/submessage',
  access: 'user',
  isPersonal: true,
  params: {
    message_id: Bounded.id(),
    msg_type: Type.String({
      maxLength: table.columns.msg_type.maxLength,
      description: '`widget`.',
    }),
    content: Type.String({
      maxLength: limits.maxMessageLength,
      description: 'JSON.',
      contentKind: 'message.widget',
    }),
  },
  errors: ['BAD_REQUEST'],
  service: SubmessageService,
  handle: (submessages, { actor, params }) =>
    submessages.attach(actor, params.message_id, params.msg_type, params.content),
})

const FileSubmessage = Type.Object(
  {
    message_id: FileId,
    sender_id: FileId,
    content: Type.String({ description: 'JSON; its schema is up to the clients.' }),
  },
  closed,
)

const submessageFile = defineFileSection({
  key: 'submessages',
  summary:
    'Submessages of polls and lists that have ids. The polls and lists themselves are messages such as `/poll`.',
  item: FileSubmessage,
  rowsOf: table,
  rows: () => (item) => ({ ...item, msg_type: 'widget' }),
  async check(items, check) {
    for await (const { place, item } of items) {
      check.requireKnown(`${place}/message_id`, 'message', item.message_id)
      check.requireKnown(`${place}/sender_id`, 'user', item.sender_id)
      check.requireRule(`${place}/content`, () => requireJson(item.content))
    }
  },
})

export const submessages = defineResource({
  operations: [addSubmessage],
  events: [submessageAdded],
  fileSection: submessageFile,
})
