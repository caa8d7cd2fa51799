import { until } from './request-load.js'
import { idsPerEntry, type HistoryDigest } from './history.js'
import { SoakClient, type ShownMessage, type SoakQueue } from './soak-client.js'

export interface SoakClientsTask {
  readonly port: number
  readonly queues: readonly SoakQueue[]
}

/** What the log has for a user. */
export interface UserHistory extends HistoryDigest {
  /** The last entry of which the user gets an event. */
  readonly lastSeq: number
}

export interface ReconnectTask {
  readonly milliseconds: number
  readonly perSecond: number
}

const openAtOnce = 50
/** Everything has been sent by then, unless something is wrong. */
const arrivalMilliseconds = 60_000
const maxProblems = 20
/** So that neighbors are not reconnected one after the other. */
const stride = 997

/** Clients that hold their state against the log, and against what the server tells at the end. */
export class SoakClients {
  readonly #clients: readonly SoakClient[]
  readonly #problems: string[] = []
  #reconnected = 0

  constructor({ port, queues }: SoakClientsTask) {
    const complain = (problem: string): void => {
      if (this.#problems.length < maxProblems) this.#problems.push(problem)
    }
    this.#clients = queues.map((queue) => new SoakClient(port, queue, complain))
  }

  async open(): Promise<void> {
    for (let start = 0; start < this.#clients.length; start += openAtOnce) {
      const some = this.#clients.slice(start, start + openAtOnce)
      await Promise.all(some.map((client) => client.connect()))
    }
  }

  /** Drops connections, one after the other, and continues on others. */
  async reconnect({ milliseconds, perSecond }: ReconnectTask): Promise<void> {
    const start = performance.now()
    const count = Math.floor((milliseconds * perSecond) / 1000)
    for (let index = 0; index < count; index += 1) {
      await until(start + (index * 1000) / perSecond)
      // A slow machine reconnects fewer.
      if (performance.now() - start > milliseconds) return
      await this.#clients[(this.#reconnected * stride) % this.#clients.length]?.connect()
      this.#reconnected += 1
    }
  }

  /** How many events have been received so far, and what was wrong. */
  report(): { readonly received: number; readonly problems: readonly string[] } {
    const received = this.#clients.reduce((sum, client) => sum + client.received, 0)
    return { received, problems: this.#problems }
  }

  /** Waits until everybody has got everything. @returns whose history differs from the log. */
  async compareHistories(users: ReadonlyMap<number, UserHistory>): Promise<readonly string[]> {
    const differences: string[] = []
    const isOver = new AbortController()
    const timeout = setTimeout(() => isOver.abort(), arrivalMilliseconds)
    const ended = new Promise<void>((resolve) => {
      isOver.signal.addEventListener('abort', () => resolve())
    })
    await Promise.all(
      this.#clients.map(async (client) => {
        const expected = users.get(client.userId) ?? { count: 0, hash: 0, lastSeq: 0 }
        await Promise.race([client.reach(expected.lastSeq), ended])
        const { count, hash } = client.history
        if (client.lastEventId < expected.lastSeq * idsPerEntry) {
          differences.push(
            `A client of user ${client.userId} has got nothing after event ${client.lastEventId}, ` +
              `and should have got entry ${expected.lastSeq} of the log`,
          )
        }
        if (count === expected.count && hash === expected.hash) return
        differences.push(
          `A client of user ${client.userId} has got ${count} entries about messages (${hash}), ` +
            `the log has ${expected.count} (${expected.hash})`,
        )
      }),
    )
    clearTimeout(timeout)
    return differences.slice(0, maxProblems)
  }

  /** @returns which clients show others than these, the newest messages of the user. */
  compareMessages(userId: number, messages: readonly ShownMessage[]): readonly string[] {
    const expected = messages.map(textOf)
    return this.#clients
      .filter((client) => client.userId === userId)
      .flatMap((client) => {
        const shown = client.messages.map(textOf)
        const count = Math.max(shown.length, expected.length)
        const differs = Array.from({ length: count }, (_, at) => at).find(
          (at) => shown[at] !== expected[at],
        )
        if (differs === undefined) return []
        return [`A client of user ${userId} shows ${shown[differs]}, not ${expected[differs]}`]
      })
  }

  close(): void {
    for (const client of this.#clients) client.close()
  }
}

function textOf({ id, content, flags }: ShownMessage): string {
  return `${id} ${content} [${flags.toSorted().join(' ')}]`
}
