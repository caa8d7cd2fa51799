import { getRequest, HttpConnection } from './http-connection.js'

export interface PollTask {
  readonly port: number
  readonly pollers: readonly {
    /** Path and query up to and including `last_event_id=`. */
    readonly path: string
    readonly lastEventId: number
    readonly authorization: string
  }[]
}

/** Clients that wait for their next event, each on its own connection. */
export class PollLoad {
  readonly #pollers: {
    connection: HttpConnection
    path: string
    authorization: string
    lastEventId: number
  }[]

  constructor({ port, pollers }: PollTask) {
    this.#pollers = pollers.map((poller) => ({ ...poller, connection: new HttpConnection(port) }))
  }

  /** @throws {Error} if an answer has no event with `marker`. */
  async pollOnce(marker: string): Promise<void> {
    await Promise.all(
      this.#pollers.map(async (poller) => {
        const { connection, path, authorization, lastEventId } = poller
        const { status, body } = await connection.send(
          getRequest(path + lastEventId, authorization),
        )
        if (status !== 200 || !body.includes(marker)) {
          throw new Error(`A poll was answered with ${status} ${body}`)
        }
        // The id comes last in an event, and the events come before the queue's id.
        const ids = [...body.matchAll(/"id":(\d+)\}[,\]]/g)]
        poller.lastEventId = Number(ids.at(-1)?.[1] ?? lastEventId)
      }),
    )
  }

  close(): void {
    for (const { connection } of this.#pollers) connection.close()
  }
}
