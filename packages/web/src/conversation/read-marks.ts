import type { Message } from '@parley/client'

import type { Session } from '../session/session.js'
import { after } from '../timers.js'

/** Messages that are only passed in scrolling are not read. */
const lookMilliseconds = 300
const maxIds = 500

/** Marks messages as read after they have been on a visible page. */
export class ReadMarks {
  readonly #session: Session
  readonly #readable: () => readonly Message[]
  /** Already sent; the flags come back as events. */
  readonly #sent = new Set<number>()
  #cancel: (() => void) | undefined
  readonly #shown = (): void => this.look()

  constructor(session: Session, readable: () => readonly Message[]) {
    this.#session = session
    this.#readable = readable
    document.addEventListener('visibilitychange', this.#shown)
  }

  /** To be called when other messages may be visible. */
  look(): void {
    this.#cancel ??= after(lookMilliseconds, () => {
      this.#cancel = undefined
      this.#mark()
    })
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = () => {}
    document.removeEventListener('visibilitychange', this.#shown)
  }

  #mark(): void {
    if (document.visibilityState !== 'visible') return
    const ids = this.#readable()
      .filter(({ id, flags }) => !flags.includes('read') && !this.#sent.has(id))
      .map(({ id }) => id)
      .slice(0, maxIds)
    if (ids.length === 0) return
    for (const id of ids) this.#sent.add(id)
    this.#session.client.api
      .updateMessageFlags({ messages: ids, op: 'add', flag: 'read' })
      // They are marked when they are seen again.
      .catch(() => ids.forEach((id) => this.#sent.delete(id)))
  }
}
