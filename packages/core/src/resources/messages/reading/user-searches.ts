import type { Actor } from '../../../domain/users/actor.js'
import { keyWithin, type MadeKey } from '../../../kernel/limit-keys.js'
import { perServer } from '../../../kernel/per-server.js'
import { SharedWork } from '../../../kernel/shared-work.js'

/**
 * How many searches of a user run at once, those of the user's bots included; and how many of all
 * visitors of an organization. Each may occupy a connection for seconds, and SQLite has four.
 */
const maxRunningPerKey = 2

/** Runs the searches of a user a few at a time, so that others do not wait for them. */
@perServer()
export class UserSearches {
  readonly #searches = new SharedWork({
    maxRunning: Infinity,
    maxRunningPerKey,
    maxWaiting: Infinity,
  })

  run<Result>(actor: Actor, search: () => Promise<Result>): Promise<Result> {
    return this.#searches.run(keyOf(actor), search)
  }
}

/** All spectators of an organization have the same id. */
function keyOf({ organizationId, userId, botOwnerId }: Actor): MadeKey {
  return keyWithin(String(organizationId), botOwnerId ?? userId)
}
