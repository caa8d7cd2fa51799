import type { Knex } from 'knex'

import type { Broker, BrokerSubscriptions } from '../../events/bus/broker-bus.js'

/** Of texts in one statement. */
const maxTexts = 1000

/** The members of a connection of the driver that are used here. */
interface Connection {
  query(
    sql: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>
  on(event: 'notification', listener: (notification: Notification) => void): unknown
  on(event: 'error' | 'end', listener: () => void): unknown
  end(): Promise<void>
  /** The connection of the protocol. */
  readonly connection: { readonly stream: { destroy(): void } }
}

interface Notification {
  readonly channel: string
  readonly payload?: string
}

interface WaitingText {
  readonly channel: string
  readonly text: string
  readonly sent: () => void
  readonly failed: (error: unknown) => void
}

/**
 * Carries texts with LISTEN and NOTIFY, on a connection of its own: a NOTIFY inside the transactions
 * of writes would let their commits wait for each other.
 */
export class PostgresBroker implements Broker {
  /** The server takes less than 8,000. */
  readonly maxBytes = 7900
  readonly #waiting: WaitingText[] = []
  #subscriptions: BrokerSubscriptions | undefined
  #pool: Knex | undefined
  #connection: Connection | undefined
  #isOpening = false
  #isSending = false
  #isClosed = false

  /** @param openPool creates the pool whose configuration the connection has. */
  constructor(private readonly openPool: () => Knex) {}

  get isReady(): boolean {
    return this.#connection !== undefined
  }

  begin(subscriptions: BrokerSubscriptions): void {
    this.#subscriptions = subscriptions
  }

  keepOpen(isLost: boolean): void {
    if (isLost) this.#end(this.#connection)
    if (this.#connection !== undefined || this.#isOpening || this.#isClosed) return
    this.#isOpening = true
    this.#open()
      .catch(() => {
        // The next call tries again. The chat logs once that the bus is not connected.
      })
      .finally(() => {
        this.#isOpening = false
      })
  }

  async timeMilliseconds(): Promise<number> {
    const result = await this.#connection?.query(
      'SELECT EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS milliseconds',
    )
    return Number(result?.rows[0]?.['milliseconds'])
  }

  subscribe(channel: string): void {
    this.#run(listen(channel))
  }

  unsubscribe(channel: string): void {
    this.#run(`UN${listen(channel)}`)
  }

  async publish(channel: string, text: string): Promise<void> {
    await new Promise<void>((sent, failed) => {
      this.#waiting.push({ channel, text, sent, failed })
      if (!this.#isSending) void this.#send()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#end(this.#connection)
    await this.#pool?.destroy()
  }

  async #open(): Promise<void> {
    this.#pool ??= this.openPool()
    const connection = (await this.#pool.client.acquireRawConnection()) as Connection
    for (const event of ['error', 'end'] as const) {
      connection.on(event, () => this.#end(connection))
    }
    connection.on('notification', ({ channel, payload = '' }) => {
      if (connection === this.#connection) this.#subscriptions?.receive(channel, payload)
    })
    if (this.#isClosed) {
      this.#end(connection)
      return
    }
    this.#connection = connection
    this.#run((this.#subscriptions?.channels() ?? []).map(listen).join('; '))
  }

  /** Ends a connection, also one whose server does not answer. */
  #end(connection: Connection | undefined): void {
    if (connection === this.#connection) this.#connection = undefined
    if (connection === undefined) return
    connection.end().catch(() => {
      // It has ended already.
    })
    connection.connection.stream.destroy()
  }

  /** Runs statements after which nothing has to be done. */
  #run(sql: string): void {
    const connection = this.#connection
    if (connection === undefined || sql === '') return
    // A new connection subscribes to all channels.
    connection.query(sql).catch(() => this.#end(connection))
  }

  /** Sends the texts that wait, those that come meanwhile together. */
  async #send(): Promise<void> {
    this.#isSending = true
    while (this.#waiting.length > 0) {
      const texts = this.#waiting.splice(0, maxTexts)
      try {
        if (this.#connection === undefined) throw new Error('There is no connection')
        await this.#connection.query(
          'SELECT pg_notify(channel, text) FROM unnest($1::text[], $2::text[]) AS sent (channel, text)',
          [texts.map(({ channel }) => channel), texts.map(({ text }) => text)],
        )
        for (const { sent } of texts) sent()
      } catch (error) {
        for (const { failed } of texts) failed(error)
      }
    }
    this.#isSending = false
  }
}

/** The names of channels have letters, digits, and the signs `:`, `-` and `_`. */
function listen(channel: string): string {
  return `LISTEN "${channel}"`
}
