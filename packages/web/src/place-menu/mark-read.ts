import type { NarrowTerm } from '@parley/client'

import type { Session } from '../session/session.js'

/** The server changes no more in a call. */
const maxMessages = 5000

/** Marks all messages of a search as read. */
export async function markRead(narrow: readonly NarrowTerm[], session: Session): Promise<void> {
  let anchor: string | number = 'oldest'
  for (;;) {
    const { found_newest, last_processed_id } =
      await session.client.api.updateMessageFlagsForNarrow({
        anchor,
        include_anchor: anchor === 'oldest',
        num_before: 0,
        num_after: maxMessages,
        narrow: [...narrow, { operator: 'is', operand: 'unread' }],
        op: 'add',
        flag: 'read',
      })
    if (found_newest || last_processed_id === null) return
    anchor = last_processed_id
  }
}
