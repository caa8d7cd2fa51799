import { inject } from 'tsyringe'

import { ApplicationEvents } from '../../../events/application/application-events.js'
import { FollowedLogs } from '../../../events/log/followed-logs.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import { PeriodicTask, type Round } from '../../../kernel/periodic-task.js'
import { randomToken } from '../../../kernel/random.js'
import { Telemetry } from '../../../kernel/telemetry/telemetry.js'
import { ClockToken, LoggerToken } from '../../../kernel/tokens.js'
import { Database } from '../../../storage/index.js'
import type { ConsumerHandler } from './consumer-batch.js'
import {
  resolveConsumerOptions,
  type AnyConsumerOptions,
  type ChatConsumer,
  type ParkedEvent,
} from './consumer-options.js'
import { ConsumerRepository, type ConsumerState } from './consumer-repository.js'
import { ParkedEventRepository } from './parked-event-repository.js'
import { RunningConsumer } from './running-consumer.js'

const maxListed = 1000

/** Interval at which a server looks for events that other processes have committed. */
const lookMilliseconds = 1000

/** The durable consumers of this server, which look for due events together. */
@perServer()
export class Consumers {
  readonly #owner = randomToken(12)
  readonly #running = new Map<string, RunningConsumer>()
  readonly #look: PeriodicTask
  #isStarted = false
  #isLooking = false
  #endObservation: (() => void) | undefined

  constructor(
    @inject(ConsumerRepository) private readonly repository: ConsumerRepository,
    @inject(ParkedEventRepository) private readonly parkedEvents: ParkedEventRepository,
    @inject(ApplicationEvents) private readonly events: ApplicationEvents,
    @inject(FollowedLogs) private readonly logs: FollowedLogs,
    @inject(Database) private readonly database: Database,
    @inject(Telemetry) private readonly telemetry: Telemetry,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {
    const work = {
      name: 'Looking for the events of consumers',
      intervalMilliseconds: lookMilliseconds,
      round: (round: Round) => this.#offer(round),
    }
    this.#look = new PeriodicTask(work, clock, logger)
  }

  consume(
    name: string,
    options: AnyConsumerOptions,
    handler: ConsumerHandler,
    place = 'chat.consume',
  ): ChatConsumer {
    const checked = resolveConsumerOptions(place, name, options)
    for (const type of checked.types ?? []) this.events.requireKind(place, type, true)
    const resolved = { ...checked, kinds: checked.types && this.events.kindsOf(checked.types) }
    if (typeof handler !== 'function') throw new TypeError(`${place}: needs a function to call`)
    if (this.#running.has(name)) {
      throw new TypeError(`${place}: '${name}' is consumed by this server already`)
    }
    const { repository: consumers, parkedEvents: parked, events } = this
    const { database, telemetry, clock, logger } = this
    const parts = { consumers, parked, events, database, telemetry, clock, logger }
    const consumer = new RunningConsumer(name, this.#owner, resolved, handler, parts)
    this.#running.set(name, consumer)
    this.#startLooking()
    return {
      name,
      ready: () => consumer.ready(),
      stop: async () => {
        await consumer.stop()
        if (this.#running.get(name) === consumer) this.#running.delete(name)
      },
    }
  }

  /** Stores the positions of new consumers. */
  async create(): Promise<void> {
    for (const consumer of this.#running.values()) await consumer.create()
  }

  start(): void {
    this.#endObservation = this.logs.onAny((_, { kind }) => {
      if ([...this.#running.values()].some((consumer) => consumer.takes(kind))) this.#look.wake()
    })
    this.#isStarted = true
    this.#startLooking()
  }

  /** Resolves when no handler is running. */
  async stop(): Promise<void> {
    this.#isStarted = false
    this.#endObservation?.()
    const isLookOver = this.#look.stop()
    await Promise.all([...this.#running.values()].map((consumer) => consumer.stop()))
    await isLookOver
  }

  #startLooking(): void {
    if (!this.#isStarted || this.#running.size === 0) return
    if (!this.#isLooking) this.#look.start()
    this.#isLooking = true
    this.#look.wake()
  }

  async #offer({ stopping, failed }: Round): Promise<void> {
    const created = new Map<string, RunningConsumer>()
    for (const [name, consumer] of this.#running) {
      try {
        await consumer.create()
        created.set(name, consumer)
      } catch (error) {
        failed(error)
      }
    }
    if (created.size === 0 || stopping.aborted) return
    const names = [...created.keys()]
    const due = await this.repository.listDue(names, this.#owner, nowSeconds(this.clock))
    for (const [name, consumer] of created) {
      const organizationIds = due.get(name)
      if (organizationIds === undefined) consumer.forgetPosition()
      else consumer.offer(organizationIds)
    }
  }

  async states(): Promise<Readonly<Record<string, ConsumerState>>> {
    return this.repository.states()
  }

  async listParked(name: string): Promise<ParkedEvent[]> {
    const rows = await this.parkedEvents.list(name, maxListed)
    return rows.map((row) => ({
      organizationId: row.organization_id,
      seq: row.seq,
      attempts: row.attempts,
      error: row.error,
      parkedAtSeconds: row.parked_at_seconds,
      isDue: row.due_at_seconds !== null,
    }))
  }

  async retry(name: string): Promise<number> {
    const count = await this.parkedEvents.retryAll(name)
    this.#look.wake()
    return count
  }

  async remove(name: string): Promise<void> {
    if (this.#running.has(name)) {
      throw new TypeError(`chat.consumers.remove: '${name}' is running; stop it first`)
    }
    await this.repository.delete(name)
  }
}
