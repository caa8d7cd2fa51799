import type { Background } from '../../kernel/background.js'
import type { BackgroundWork, Round } from '../../kernel/periodic-task.js'

/** What is done organization by organization. */
export interface PushWork extends BackgroundWork {
  /** The organizations in which something waits. */
  listWaiting(): Promise<readonly number[]>
  /** Does all that waits in one organization. */
  run(organizationId: number): Promise<void>
}

/** Rounds over the organizations that are announced and, from time to time, all where work waits. */
export class PushRounds {
  readonly #awake = new Set<number>()

  constructor(
    private readonly work: PushWork,
    private readonly background: Background,
  ) {}

  /** Says that something waits in the organization. */
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
