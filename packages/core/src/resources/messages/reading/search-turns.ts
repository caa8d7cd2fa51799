import { isSpectator, type Actor } from '../../../domain/actor.js'
import { BoundedWork } from '../../../kernel/bounded-work.js'
import { perServer } from '../../../kernel/per-server.js'

/**
 * How many searches of a user run at once, those of the user's bots included; and how many of all
 * visitors of an organization. Each may occupy a connection for seconds, and SQLite has four.
 */
const maxRunningSearches = 2

/** Lets the searches of a user wait for each other, so that those of others do not wait. */
@perServer()
export class SearchTurns {
  readonly #running = new Map<string, BoundedWork>()

  async run<Result>(actor: Actor, search: () => Promise<Result>): Promise<Result> {
    const owner = isSpectator(actor) ? 'visitors' : (actor.botOwnerId ?? actor.userId)
    const key = `${actor.organizationId}/${owner}`
    const bounds = { maxRunning: maxRunningSearches, maxWaiting: Infinity }
    const turns = this.#running.get(key) ?? new BoundedWork(bounds)
    this.#running.set(key, turns)
    try {
      return await turns.run(search)
    } finally {
      if (turns.isIdle) this.#running.delete(key)
    }
  }
}
