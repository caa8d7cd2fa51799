import { inject } from 'tsyringe'

import { EventDelivery } from '../events/delivery.js'
import { perServer } from '../kernel/per-server.js'
import type { BackgroundWork } from '../kernel/periodic-task.js'
import { observed } from '../kernel/telemetry/metrics.js'
import { Telemetry, type Reading } from '../kernel/telemetry/telemetry.js'
import { SearchIndex } from '../resources/messages/search-index/index.js'
import { Consumers } from '../resources/realtime/consumers/index.js'
import { EventSocketGate } from '../resources/realtime/event-queues/index.js'
import { Backlogs } from '../storage/index.js'

/**
 * Provides the metrics that are read when metrics are collected. Those of the database are read at
 * the interval, so that collecting often costs no statements.
 */
@perServer()
export class ServerMetrics implements BackgroundWork {
  readonly name = 'Reading metrics'
  readonly intervalMilliseconds = 16_000
  #logEntries: readonly Reading[] = []
  #backlogs: readonly Reading[] = []

  constructor(
    @inject(Telemetry) private readonly telemetry: Telemetry,
    @inject(Backlogs) private readonly backlogs: Backlogs,
    @inject(EventDelivery) private readonly delivery: EventDelivery,
    @inject(EventSocketGate) private readonly sockets: EventSocketGate,
    @inject(Consumers) private readonly consumers: Consumers,
    @inject(SearchIndex) private readonly searchIndex: SearchIndex,
  ) {
    const { logs } = delivery
    telemetry.observe(observed.queues, () => [{ value: this.delivery.queueCount }])
    telemetry.observe(observed.sockets, () => [{ value: this.sockets.count }])
    telemetry.observe(observed.polls, () => [{ value: this.delivery.countPolls() }])
    telemetry.observe(observed.logLag, () => [{ value: logs.lag }])
    telemetry.observe(observed.logEntries, () => this.#logEntries)
    telemetry.observe(observed.backlog, () => this.#backlogs)
    telemetry.observe(observed.cacheReads, () =>
      [...logs.cacheReads].flatMap(([cache, { hits, misses }]) => [
        { value: hits, attributes: { 'parley.cache': cache, 'parley.outcome': 'hit' } },
        { value: misses, attributes: { 'parley.cache': cache, 'parley.outcome': 'miss' } },
      ]),
    )
  }

  async round(): Promise<void> {
    if (!this.telemetry.isMetering) return
    const work = await this.backlogs.count()
    const states = Object.values(await this.consumers.states())
    const { pendingMessages } = await this.searchIndex.state()
    this.#logEntries = [{ value: await this.backlogs.countLogEntries() }]
    this.#backlogs = Object.entries({
      scheduled_messages: work.scheduledMessages,
      reminders: work.reminders,
      push_notifications: work.pushNotifications,
      bot_webhook_calls: work.botWebhookCalls,
      consumers: states.reduce((sum, { lag }) => sum + lag, 0),
      search_index: pendingMessages,
    }).map(([name, value]) => ({ value, attributes: { 'parley.work': name } }))
    this.telemetry.publishObserved()
  }

  async end(): Promise<void> {
    this.telemetry.close()
  }
}
