import type { ChatApi, Registration } from './api.js'
import type { ConnectionState } from './connection-events.js'
import type { Environment } from './environment.js'

/** A user who has done nothing for this time is idle. */
const idleAfterMilliseconds = 5 * 60_000

/** Tells the server that the user is active, at its interval, and once that the user is not. */
export class Presence {
  readonly #api: Pick<ChatApi, 'updatePresence'>
  readonly #environment: Pick<Environment, 'now' | 'after' | 'onChange' | 'isVisible'>
  #intervalMilliseconds = 60_000
  #isDisabled = false
  #isConnected = false
  #activeUntil = 0
  /** The state that was last sent to the server. */
  #isActive = false
  #cancel: (() => void) | undefined
  #stopListening: (() => void) | undefined

  constructor(
    api: Pick<ChatApi, 'updatePresence'>,
    environment: Pick<Environment, 'now' | 'after' | 'onChange' | 'isVisible'>,
  ) {
    this.#api = api
    this.#environment = environment
  }

  registered(registration: Registration): void {
    const { server_presence_ping_interval_seconds: seconds } = registration
    if (seconds !== undefined) this.#intervalMilliseconds = seconds * 1000
    this.#isDisabled = registration.realm_presence_disabled === true
    this.#stopListening ??= this.#environment.onChange((what) => {
      if (what !== 'shown') return
      // A user who shows the page has done something.
      if (this.#environment.isVisible()) this.active()
      else this.#update()
    })
  }

  changed({ kind }: ConnectionState): void {
    this.#isConnected = kind === 'connected'
    this.#update()
  }

  /** The user has done something. */
  active(): void {
    this.#activeUntil = this.#environment.now() + idleAfterMilliseconds
    this.#update()
  }

  close(): void {
    this.#stopListening?.()
    this.#stopListening = undefined
    this.#end()
  }

  #update(): void {
    if (!this.#isConnected || this.#isDisabled) {
      this.#end()
      return
    }
    const isActive = this.#environment.now() < this.#activeUntil && this.#environment.isVisible()
    if (isActive) {
      if (this.#cancel !== undefined) return
      this.#isActive = true
      this.#ping('active')
      this.#cancel = this.#environment.after(this.#intervalMilliseconds, () => {
        this.#cancel = undefined
        this.#update()
      })
    } else if (this.#isActive) {
      this.#end()
      this.#ping('idle')
    }
  }

  #end(): void {
    this.#isActive = false
    this.#cancel?.()
    this.#cancel = undefined
  }

  #ping(status: 'active' | 'idle'): void {
    // The next one is due soon.
    this.#api.updatePresence({ status, ping_only: true }).catch(() => {})
  }
}
