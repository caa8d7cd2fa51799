import type { MetricDeclaration } from './measure.js'

/** Recorded when something happens. */
export const measures = {
  operationDuration: {
    name: 'parley.operation.duration',
    type: 'histogram',
    unit: 's',
    meaning: 'Time from a request, or a call of the application, to its response.',
    attributes: ['parley.operation', 'parley.status'],
  },
  commitDuration: {
    name: 'parley.commit.duration',
    type: 'histogram',
    unit: 's',
    meaning: 'Time of a transaction that writes share.',
    attributes: [],
  },
  deliveryLag: {
    name: 'parley.delivery.lag',
    type: 'histogram',
    unit: 's',
    meaning: 'Time from a commit until its events are handed to the last waiting client.',
    attributes: [],
  },
  consumerDuration: {
    name: 'parley.consumer.duration',
    type: 'histogram',
    unit: 's',
    meaning: 'Time in which a durable consumer, or a webhook, handles an entry.',
    attributes: ['parley.consumer', 'parley.outcome'],
  },
  pushes: {
    name: 'parley.push.notifications',
    type: 'counter',
    unit: '{notification}',
    meaning: 'Attempts to send a push notification.',
    attributes: ['parley.outcome'],
  },
  webhookCalls: {
    name: 'parley.bot_webhook.calls',
    type: 'counter',
    unit: '{call}',
    meaning: 'Calls of the programs of outgoing webhook bots.',
    attributes: ['parley.outcome'],
  },
  busRefusals: {
    name: 'parley.bus.refused',
    type: 'counter',
    unit: '{message}',
    meaning: 'Messages of the event bus that were not accepted.',
    attributes: ['parley.reason'],
  },
} as const satisfies Record<string, MetricDeclaration>

/** Read when metrics are collected. */
export const observed = {
  queues: {
    name: 'parley.queues',
    type: 'gauge',
    unit: '{queue}',
    meaning: 'Event queues that this process serves.',
    attributes: [],
  },
  sockets: {
    name: 'parley.sockets',
    type: 'gauge',
    unit: '{connection}',
    meaning: 'Open WebSockets.',
    attributes: [],
  },
  polls: {
    name: 'parley.polls',
    type: 'gauge',
    unit: '{request}',
    meaning: 'Long polls that wait for events.',
    attributes: [],
  },
  logLag: {
    name: 'parley.log.lag',
    type: 'gauge',
    unit: '{entry}',
    meaning: 'Committed entries that this process knows of and has not delivered yet.',
    attributes: [],
  },
  logEntries: {
    name: 'parley.log.entries',
    type: 'gauge',
    unit: '{entry}',
    meaning: 'Entries in the logs of all organizations. The same in every process.',
    attributes: [],
  },
  backlog: {
    name: 'parley.backlog',
    type: 'gauge',
    unit: '{item}',
    meaning: 'Work that is due and not done. The same in every process.',
    attributes: ['parley.work'],
  },
  cacheReads: {
    name: 'parley.cache.reads',
    type: 'counter',
    unit: '{read}',
    meaning: 'Reads of values that the process caches for each organization.',
    attributes: ['parley.cache', 'parley.outcome'],
  },
} as const satisfies Record<string, MetricDeclaration>
