/** So many processes are remembered; one more takes the place of that which was first to send. */
const maxProcesses = 1000

/** Drops events that arrive twice, or after later ones of the same process. */
export class RepeatFilter {
  readonly #counts = new Map<string, number>()

  isNew(processId: string, count: number): boolean {
    const newest = this.#counts.get(processId)
    if (newest !== undefined && count <= newest) return false
    if (newest === undefined && this.#counts.size >= maxProcesses) {
      for (const oldest of this.#counts.keys()) {
        this.#counts.delete(oldest)
        break
      }
    }
    this.#counts.set(processId, count)
    return true
  }
}
