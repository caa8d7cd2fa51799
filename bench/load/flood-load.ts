import { HttpConnection, type LoadRequest } from './http-connection.js'
import { resultOf, until, type BusyResult } from './request-load.js'

export interface FloodTask {
  readonly port: number
  /** One for each connection, sent again and again. */
  readonly requests: readonly LoadRequest[]
  /** Over all connections together. */
  readonly requestsPerSecond: number
  /** How long requests are counted. */
  readonly milliseconds: number
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
  const free = task.requests.map((request) => ({
    request,
    connection: new HttpConnection(task.port),
  }))
  const all = [...free]
  const latencies: number[] = []
  const reads: number[] = []
  let refused = 0
  const send = async (client: (typeof free)[number]): Promise<void> => {
    const from = performance.now()
    const {
      status,
      body,
      retryAfterSeconds: seconds,
    } = await client.connection.send(client.request)
    if (status !== 200 && status !== 503)
      throw new Error(`A request failed with ${status}: ${body}`)
    if (from >= counted) {
      if (status === 200) latencies.push(performance.now() - from)
      else refused += 1
    }
    if (seconds > 0) setTimeout(() => free.push(client), seconds * 1000)
    else free.push(client)
  }
  const reader = new HttpConnection(task.port)
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
  for (let next = 0; next < total && failures.length === 0; next += 1) {
    await until(start + (next * 1000) / task.requestsPerSecond)
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
    accepted: resultOf(latencies, task.milliseconds),
    refused,
    reads: resultOf(reads, task.milliseconds),
  }
}
