import { inject } from 'tsyringe'

import { ApplicationEvents } from '../../../events/application-events.js'
import { FollowedLogs } from '../../../events/followed-logs.js'
import type { Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken, LoggerToken } from '../../../kernel/tokens.js'
import { Database } from '../../../storage/index.js'
import type { ConsumerHandler } from './consumer-batch.js'
import {
  resolveConsumerOptions,
  type ChatConsumer,
  type ConsumerOptions,
  type ParkedEvent,
} from './consumer-options.js'
import { ConsumerRepository, type ConsumerState } from './consumer-repository.js'
import { ParkedEventRepository } from './parked-event-repository.js'
import { RunningConsumer } from './running-consumer.js'

const maxListed = 1000

/** The durable consumers of this server. */
@perServer()
export class Consumers {
  readonly #running = new Map<string, RunningConsumer>()
  #isStarted = false
  #endObservation: (() => void) | undefined

  constructor(
    @inject(ConsumerRepository) private readonly repository: ConsumerRepository,
    @inject(ParkedEventRepository) private readonly parkedEvents: ParkedEventRepository,
    @inject(ApplicationEvents) private readonly events: ApplicationEvents,
    @inject(FollowedLogs) private readonly logs: FollowedLogs,
    @inject(Database) private readonly database: Database,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {}

  consume(name: string, options: ConsumerOptions, handler: ConsumerHandler): ChatConsumer {
    const resolved = resolveConsumerOptions(name, options)
    for (const type of resolved.types ?? []) this.events.requireKind('chat.consume', type, true)
    if (typeof handler !== 'function') throw new TypeError('chat.consume: needs a function to call')
    if (this.#running.has(name)) {
      throw new TypeError(`chat.consume: '${name}' is consumed by this server already`)
    }
    const { repository: consumers, parkedEvents: parked, events, database, clock, logger } = this
    const parts = { consumers, parked, events, database, clock, logger }
    const consumer = new RunningConsumer(name, resolved, handler, parts)
    this.#running.set(name, consumer)
    if (this.#isStarted) consumer.start()
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
    this.#endObservation = this.logs.observe((_, kind) => {
      for (const consumer of this.#running.values()) consumer.notice(kind)
    })
    this.#isStarted = true
    for (const consumer of this.#running.values()) consumer.start()
  }

  /** Resolves when no handler is running. */
  async stop(): Promise<void> {
    this.#isStarted = false
    this.#endObservation?.()
    await Promise.all([...this.#running.values()].map((consumer) => consumer.stop()))
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
    this.#running.get(name)?.wake()
    return count
  }

  async remove(name: string): Promise<void> {
    if (this.#running.has(name)) {
      throw new TypeError(`chat.consumers.remove: '${name}' is running; stop it first`)
    }
    await this.repository.delete(name)
  }
}
