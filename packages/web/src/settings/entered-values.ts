interface Entered {
  readonly value: unknown
  /** The store's value when this one was sent. */
  readonly before: unknown
  readonly isSent: boolean
}

/** The values that the user has entered and the store does not have yet, by the names of fields. */
export class EnteredValues {
  readonly #entered = new Map<string, Entered>()

  /** The value that a field shows: the stored one, unless the user has entered another one. */
  shown<Value>(name: string, stored: Value): Value {
    const entered = this.#entered.get(name)
    if (entered === undefined) return stored
    if (entered.isSent && entered.before !== stored) {
      // The event has come, or another client has changed the value since.
      this.#entered.delete(name)
      return stored
    }
    // Each field has values of one type.
    return entered.value as Value
  }

  enter(name: string, value: unknown): void {
    this.#entered.set(name, { value, before: undefined, isSent: false })
  }

  /** The value stays until the store has another one than now. */
  send(name: string, value: unknown, stored: unknown): void {
    if (value === stored) this.#entered.delete(name)
    else this.#entered.set(name, { value, before: stored, isSent: true })
  }

  /** Whether the shown value was sent to the server, and its event has not come yet. */
  isSent(name: string): boolean {
    return this.#entered.get(name)?.isSent === true
  }

  /** The server has refused it: a text stays, so that nothing typed is lost. */
  refuse(name: string, value: unknown): void {
    if (this.#entered.get(name)?.value === value) this.enter(name, value)
  }

  forget(name: string): void {
    this.#entered.delete(name)
  }
}
