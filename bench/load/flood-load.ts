import { HttpConnection, type LoadRequest } from './http-connection.js'
import { resultOf, until, type BusyResult } from './request-load.js'

export interface FloodTask {
  readonly port: number
  /** One for each connection, sent again and again. */
  readonly requests: readonly LoadRequest[]
  /** Over all connections together. */
  readonly requestsPerSecond: number
  /** How long is counted. */
  readonly milliseconds: number
  /** How long the server is busy before that. */
  readonly warmUpMilliseconds: number
  /** Asked for, one after the other, while the others send. */
  readonly read: LoadRequest
}

export interface FloodResult {
  /** The number of successes in the counted time, and how long those took that began in it. */
  readonly accepted: BusyResult
  /** The number of requests that got 503. */
  readonly refused: number
  readonly reads: BusyResult
}

/** How long the load goes on for requests that are still waiting when the counted time is over. */
const maxTailMilliseconds = 15_000

/**
 * Sends at fixed points in time, on whichever connection is free. A client that gets 503 pauses for
 * as long as `Retry-After` says; what it would have sent meanwhile is not sent. The load goes on until
 * all requests of the counted time are answered, so that the last of them wait as long as the others.
 */
export async function flood(task: FloodTask): Promise<FloodResult> {
  const reader = new HttpConnection(task.port)
  const free: { readonly request: LoadRequest; readonly connection: HttpConnection }[] = []
  for (const request of task.requests) {
    const connection = new HttpConnection(task.port)
    await connection.opened()
    free.push({ request, connection })
    // More than the server has accepted would be dropped, and tried again by the system seconds later.
    if (free.length % 100 === 0) await reader.send(task.read)
  }
  const start = performance.now()
  const counted = start + task.warmUpMilliseconds
  const end = counted + task.milliseconds
  const all = [...free]
  const latencies: number[] = []
  const reads: number[] = []
  let succeeded = 0
  let refused = 0
  let unanswered = 0
  const send = async (client: (typeof free)[number]): Promise<void> => {
    const from = performance.now()
    const isCounted = from >= counted && from < end
    if (isCounted) unanswered += 1
    const {
      status,
      body,
      retryAfterSeconds: seconds,
    } = await client.connection.send(client.request)
    if (status !== 200 && status !== 503)
      throw new Error(`A request failed with ${status}: ${body}`)
    const now = performance.now()
    if (status === 200 && now >= counted && now < end) succeeded += 1
    if (isCounted) {
      unanswered -= 1
      if (status === 200) latencies.push(now - from)
      else refused += 1
    }
    if (seconds > 0) setTimeout(() => free.push(client), seconds * 1000)
    else free.push(client)
  }
  const reading = (async () => {
    for (;;) {
      const from = performance.now()
      if (from >= end) return
      await reader.send(task.read)
      if (from >= counted) reads.push(performance.now() - from)
      await until(from + 100)
    }
  })()
  const failures: unknown[] = []
  const sending = new Set<Promise<unknown>>()
  for (let next = 0; failures.length === 0; next += 1) {
    const due = start + (next * 1000) / task.requestsPerSecond
    if (due >= end && (unanswered === 0 || due >= end + maxTailMilliseconds)) break
    await until(due)
    const client = free.shift()
    if (client !== undefined)
      sending.add(send(client).catch((error: unknown) => failures.push(error)))
  }
  await reading
  await Promise.all(sending)
  reader.close()
  for (const { connection } of all) connection.close()
  if (failures.length > 0) throw failures[0]
  return {
    accepted: { ...resultOf(latencies, task.milliseconds), count: succeeded },
    refused,
    reads: resultOf(reads, task.milliseconds),
  }
}
