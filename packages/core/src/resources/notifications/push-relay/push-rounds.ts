import type { Background } from '../../../kernel/background.js'
import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'

/** Background work that is done per organization. */
export interface PushWork extends BackgroundWork {
  /** The organizations with pending work. */
  listWaiting(): Promise<readonly number[]>
  /** Does all pending work of one organization. */
  run(organizationId: number): Promise<void>
}

/** Runs the work of organizations when it is announced, and polls for pending work. */
export class PushRounds {
  readonly #awake = new Set<number>()

  constructor(
    private readonly work: PushWork,
    private readonly background: Background,
  ) {}

  /** Announces pending work in the organization. */
  wake(organizationId: number): void {
    this.#awake.add(organizationId)
    this.background.wake(this.work)
  }

  async round({ isDue, stopping, failed }: Round): Promise<void> {
    const waiting = isDue ? await this.work.listWaiting() : []
    const organizationIds = new Set([...this.#awake, ...waiting])
    this.#awake.clear()
    for (const organizationId of organizationIds) {
      if (stopping.aborted) return
      await this.work.run(organizationId).catch(failed)
    }
  }
}
