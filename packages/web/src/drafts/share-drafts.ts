import type { ParleyChat } from '../chat/parley-chat.js'
import type { Session } from '../session/session.js'
import { DraftSync } from './draft-sync.js'

interface Shared {
  readonly sync: DraftSync
  uses: number
}

/** One for each session: the elements of a page share it. */
const shared = new Map<Session, Shared>()

/** Keeps the drafts of a chat's user on the server too, as long as the chat is shown. */
export function shareDrafts(chat: ParleyChat): void {
  let used: Session | undefined
  const use = (session: Session | undefined): void => {
    if (session === used) return
    if (used !== undefined) release(used)
    used = session
    if (session === undefined) return
    const entry = shared.get(session) ?? { sync: new DraftSync(session), uses: 0 }
    entry.uses += 1
    shared.set(session, entry)
  }
  chat.addController({
    hostUpdated: () => use(chat.session),
    hostDisconnected: () => use(undefined),
  })
  use(chat.session)
}

function release(session: Session): void {
  const entry = shared.get(session)
  if (entry === undefined) return
  entry.uses -= 1
  if (entry.uses > 0) return
  shared.delete(session)
  entry.sync.stop()
}
