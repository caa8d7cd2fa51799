import { inject } from 'tsyringe'
import { Type, type Static } from 'typebox'

import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import {
  chunksOf,
  closed,
  defineFileSection,
  FileId,
  type FileSectionLoader,
} from '../file-sections/index.js'
import { SubmessageRepository } from './submessage-repository.js'
import { requireJson } from './submessage-service.js'

const FileSubmessage = Type.Object(
  {
    message_id: FileId,
    sender_id: FileId,
    content: Type.String({ description: 'JSON, of whatever shape the clients agree on.' }),
  },
  closed,
)
type FileSubmessage = Static<typeof FileSubmessage>

/** Stores the submessages of an organization file, in their order. */
@perServer()
class SubmessageFileLoader implements FileSectionLoader<FileSubmessage> {
  constructor(@inject(SubmessageRepository) private readonly submessages: SubmessageRepository) {}

  async load(tx: Transaction, items: readonly FileSubmessage[]): Promise<void> {
    const rows = items.map((item) => ({ ...item, msg_type: 'widget' }))
    for (const chunk of chunksOf(rows)) await this.submessages.insertMany(tx, chunk)
  }
}

export const submessageFile = defineFileSection({
  key: 'submessages',
  summary:
    'What people did with polls and lists that have ids; those themselves are messages like `/poll`.',
  item: FileSubmessage,
  loader: SubmessageFileLoader,
  async check(items, check) {
    for await (const { place, item } of items) {
      check.requireKnown(`${place}/message_id`, 'message', item.message_id)
      check.requireKnown(`${place}/sender_id`, 'user', item.sender_id)
      check.requireRule(`${place}/content`, () => requireJson(item.content))
    }
  },
})
