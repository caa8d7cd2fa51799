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

interface Waiting<Result> {
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

interface WaitingText extends Waiting<void> {
  readonly channel: string
  readonly text: string
}

/**
 * Carries texts with LISTEN and NOTIFY, on a connection of its own: a NOTIFY inside the transactions
 * of writes would let their commits wait for each other.
 */
export class PostgresBroker implements Broker {
  /** The server takes less than 8,000. */
  readonly maxBytes = 7900
  readonly #texts: WaitingText[] = []
  readonly #clockReaders: Waiting<number>[] = []
  /** Statements of the connection that is open, after which nothing has to be done. */
  #commands: string[] = []
  #subscriptions: BrokerSubscriptions | undefined
  #pool: Knex | undefined
  #connection: Connection | undefined
  #isOpening = false
  #isWorking = false
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

  timeMilliseconds(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#clockReaders.push({ resolve, reject })
      void this.#work()
    })
  }

  subscribe(channel: string): void {
    this.#command(listen(channel))
  }

  unsubscribe(channel: string): void {
    this.#command(`UN${listen(channel)}`)
  }

  publish(channel: string, text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#texts.push({ channel, text, resolve, reject })
      void this.#work()
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
    this.#commands = (this.#subscriptions?.channels() ?? []).map(listen)
    void this.#work()
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

  #command(sql: string): void {
    // A new connection subscribes to all channels.
    if (this.#connection === undefined) return
    this.#commands.push(sql)
    void this.#work()
  }

  /** Sends what waits, all that is there at a time together: the driver wants one statement at a time. */
  async #work(): Promise<void> {
    if (this.#isWorking) return
    this.#isWorking = true
    // What comes in the same turn is sent together.
    await Promise.resolve()
    while (this.#commands.length + this.#texts.length + this.#clockReaders.length > 0) {
      await this.#runCommands(this.#commands.splice(0))
      await this.#notify(this.#texts.splice(0, maxTexts), this.#clockReaders.splice(0))
    }
    this.#isWorking = false
  }

  async #runCommands(commands: readonly string[]): Promise<void> {
    const connection = this.#connection
    if (commands.length === 0) return
    await connection?.query(commands.join('; ')).catch(() => this.#end(connection))
  }

  async #notify(
    texts: readonly WaitingText[],
    clockReaders: readonly Waiting<number>[],
  ): Promise<void> {
    if (texts.length + clockReaders.length === 0) return
    try {
      if (this.#connection === undefined) throw new Error('There is no connection')
      const { rows } = await this.#connection.query(
        `SELECT EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS milliseconds,
           (SELECT COUNT(pg_notify(channel, text))
            FROM unnest($1::text[], $2::text[]) AS sent (channel, text))`,
        [texts.map(({ channel }) => channel), texts.map(({ text }) => text)],
      )
      for (const { resolve } of texts) resolve()
      for (const { resolve } of clockReaders) resolve(Number(rows[0]?.['milliseconds']))
    } catch (error) {
      for (const { reject } of [...texts, ...clockReaders]) reject(error)
    }
  }
}

/** The names of channels have letters, digits, and the signs `:`, `-` and `_`. */
function listen(channel: string): string {
  return `LISTEN "${channel}"`
}
