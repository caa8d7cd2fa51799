import { nowSeconds } from '../../../kernel/clock.js'
import { PeriodicTask, type Round } from '../../../kernel/periodic-task.js'
import { randomToken } from '../../../kernel/random.js'
import {
  ConsumerBatch,
  leaseSeconds,
  type ConsumerHandler,
  type ConsumerParts,
} from './consumer-batch.js'
import type { ResolvedConsumerOptions } from './consumer-options.js'

const pollMilliseconds = 1000
/** The lease is extended when no more than this remains of it. */
const renewalSeconds = 15

/** A consumer in this process: takes the lease, and handles what is due while it has it. */
export class RunningConsumer {
  readonly #owner = randomToken(12)
  readonly #task: PeriodicTask
  /** The end of this server's lease. */
  #leasedUntilSeconds = 0
  #creation: Promise<void> | undefined
  readonly #isReady: Promise<void>
  #resolveReady: () => void = () => {}
  #isStarted = false

  constructor(
    readonly name: string,
    private readonly options: ResolvedConsumerOptions,
    private readonly handler: ConsumerHandler,
    private readonly parts: ConsumerParts,
  ) {
    this.#isReady = new Promise((resolve) => {
      this.#resolveReady = resolve
    })
    const work = {
      name: `The consumer ${name}`,
      intervalMilliseconds: pollMilliseconds,
      round: (round: Round) => this.#round(round),
    }
    this.#task = new PeriodicTask(work, parts.clock, parts.logger)
  }

  /** Stores the position of a new consumer. */
  async create(): Promise<void> {
    this.#creation ??= this.parts.consumers.create(this.name, this.options.from, this.#now)
    try {
      await this.#creation
      this.#resolveReady()
    } catch (error) {
      this.#creation = undefined
      throw error
    }
  }

  ready(): Promise<void> {
    return this.#isReady
  }

  start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    this.#task.start()
    this.#task.wake()
  }

  /** Triggers a round if an event of this kind concerns the consumer. */
  notice(kind: string): void {
    const { types } = this.options
    if (types === undefined || types.some((type) => type === kind)) this.#task.wake()
  }

  wake(): void {
    this.#task.wake()
  }

  async stop(): Promise<void> {
    await this.#task.stop()
    if (this.#leasedUntilSeconds === 0) return
    this.#leasedUntilSeconds = 0
    try {
      await this.parts.consumers.release(this.name, this.#owner)
    } catch (error) {
      // Another server continues when the lease ends.
      this.parts.logger.warn('Ending a consumer failed', { consumer: this.name, err: error })
    }
  }

  async #round(round: Round): Promise<void> {
    await this.create()
    if (!(await this.#holdsLease())) return
    const { consumers } = this.parts
    for (const organizationId of await consumers.listDue(this.name, this.#now)) {
      await this.#handle(organizationId, round)
      if (round.stopping.aborted || this.#leasedUntilSeconds === 0) return
    }
  }

  async #handle(organizationId: number, round: Round): Promise<void> {
    let { options } = this
    let failures = 0
    while (!round.stopping.aborted) {
      const batch = new ConsumerBatch(
        this.parts,
        this.name,
        this.#owner,
        organizationId,
        options,
        this.handler,
        round.stopping,
      )
      try {
        const outcome = await batch.run()
        this.#leasedUntilSeconds = outcome === 'lost' ? 0 : this.#now + leaseSeconds
        if (outcome !== 'more') return
        options = this.options
      } catch (error) {
        failures += 1
        round.failed(error)
        // Nothing was stored. Alone, an event that causes it holds up no other one.
        if (failures > 1) return
        options = { ...this.options, batch: 1 }
      }
    }
  }

  async #holdsLease(): Promise<boolean> {
    const now = this.#now
    if (this.#leasedUntilSeconds - now > renewalSeconds) return true
    if (this.#leasedUntilSeconds === 0) {
      const row = await this.parts.consumers.find(this.name)
      if (row === undefined) {
        // Another process has removed it.
        this.#creation = undefined
        return false
      }
      if (row.owner !== null && row.leased_until_seconds > now) return false
    }
    const lease = {
      name: this.name,
      owner: this.#owner,
      lease_token: randomToken(12),
      leased_until_seconds: now + leaseSeconds,
    }
    const hasLease = await this.parts.database.transaction((trx) =>
      this.parts.consumers.lease(trx, lease, now),
    )
    this.#leasedUntilSeconds = hasLease ? now + leaseSeconds : 0
    return hasLease
  }

  get #now(): number {
    return nowSeconds(this.parts.clock)
  }
}
