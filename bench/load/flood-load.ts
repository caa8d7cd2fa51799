import { HttpConnection, type LoadAnswer, type LoadRequest } from './http-connection.js'
import { resultOf, until, type BusyResult, type PacedTask } from './request-load.js'

export interface FloodTask extends PacedTask {
  /** Requests that begin earlier are not counted. */
  readonly warmUpMilliseconds: number
  /** Asked for, one after the other, while the others send. */
  readonly read: LoadRequest
}

export interface FloodResult {
  /** Of the requests that succeeded. */
  readonly accepted: BusyResult
  /** The number of requests that got 503. */
  readonly refused: number
  readonly reads: BusyResult
}

/**
 * Sends at fixed points in time, on whichever connection is free. A client that gets 503 pauses for
 * as long as `Retry-After` says; what it would have sent meanwhile is not sent.
 */
export async function flood(task: FloodTask): Promise<FloodResult> {
  const start = performance.now()
  const counted = start + task.warmUpMilliseconds
  const end = counted + task.milliseconds
  const total = (task.requestsPerSecond * (end - start)) / 1000
  const free = task.connections.map((requests) => new Client(task.port, requests))
  const all = [...free]
  const latencies: number[] = []
  const reads: number[] = []
  let refused = 0
  const send = async (client: Client): Promise<void> => {
    const from = performance.now()
    const answer = await client.send()
    const now = performance.now()
    if (from >= counted && from < end) {
      if (answer.status === 200) latencies.push(now - from)
      else refused += 1
    }
    const seconds = answer.status === 200 ? 0 : answer.retryAfterSeconds
    if (seconds > 0) setTimeout(() => free.push(client), seconds * 1000)
    else free.push(client)
  }
  const reader = new HttpConnection(task.port)
  const reading = (async () => {
    for (;;) {
      const from = performance.now()
      if (from >= end) return
      await reader.send(task.read)
      reads.push(performance.now() - from)
      await until(from + 100)
    }
  })()
  const failures: unknown[] = []
  const sending = new Set<Promise<unknown>>()
  for (let next = 0; next < total && failures.length === 0; next += 1) {
    await until(start + (next * 1000) / task.requestsPerSecond)
    const client = free.shift()
    if (client !== undefined)
      sending.add(send(client).catch((error: unknown) => failures.push(error)))
  }
  await reading
  await Promise.all(sending)
  reader.close()
  for (const client of all) client.close()
  if (failures.length > 0) throw failures[0]
  return {
    accepted: resultOf(latencies, task.milliseconds),
    refused,
    reads: resultOf(reads, task.milliseconds),
  }
}

class Client {
  readonly #connection: HttpConnection
  #turn = 0

  constructor(
    port: number,
    private readonly requests: readonly LoadRequest[],
  ) {
    this.#connection = new HttpConnection(port)
  }

  /** @throws {Error} if the answer is neither a success nor a 503. */
  async send(): Promise<LoadAnswer> {
    const request = this.requests[this.#turn % this.requests.length] as LoadRequest
    this.#turn += 1
    const answer = await this.#connection.send(request)
    if (answer.status !== 200 && answer.status !== 503)
      throw new Error(`A request failed with ${answer.status}: ${answer.body}`)
    return answer
  }

  close(): void {
    this.#connection.close()
  }
}
