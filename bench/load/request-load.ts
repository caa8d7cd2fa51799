import { HttpConnection, type LoadRequest } from './http-connection.js'

export interface BusyTask {
  readonly port: number
  /** The requests of each connection, sent in a circle. */
  readonly connections: readonly (readonly LoadRequest[])[]
  readonly milliseconds: number
}

export interface PacedTask extends BusyTask {
  /** Over all connections together. */
  readonly requestsPerSecond: number
}

export interface BusyResult {
  readonly count: number
  readonly seconds: number
  readonly p50Milliseconds: number
  readonly p99Milliseconds: number
}

/** Sends without a pause on every connection until the time is over. */
export async function keepBusy(task: BusyTask): Promise<BusyResult> {
  const latencies: number[] = []
  const start = performance.now()
  const end = start + task.milliseconds
  await Promise.all(
    task.connections.map(async (requests) => {
      const connection = new HttpConnection(task.port)
      try {
        for (let turn = 0; performance.now() < end; turn += 1) {
          latencies.push(await timed(connection, requests[turn % requests.length] as LoadRequest))
        }
      } finally {
        connection.close()
      }
    }),
  )
  return resultOf(latencies, performance.now() - start)
}

/**
 * Sends at fixed points in time. A request that finds no free connection waits, and its wait is
 * part of its latency: a slow server must not slow down the clients that measure it.
 */
export async function keepPace(task: PacedTask): Promise<BusyResult> {
  const latencies: number[] = []
  const start = performance.now()
  const total = Math.floor((task.requestsPerSecond * task.milliseconds) / 1000)
  let next = 0
  await Promise.all(
    task.connections.map(async (requests) => {
      const connection = new HttpConnection(task.port)
      try {
        for (let turn = 0; next < total; turn += 1) {
          const due = start + (next * 1000) / task.requestsPerSecond
          next += 1
          const from = await until(due)
          await timed(connection, requests[turn % requests.length] as LoadRequest)
          latencies.push(performance.now() - from)
        }
      } finally {
        connection.close()
      }
    }),
  )
  return resultOf(latencies, performance.now() - start)
}

export async function askAll(task: {
  readonly port: number
  readonly requests: readonly LoadRequest[]
  readonly dropBodies?: boolean
}): Promise<string[]> {
  const connection = new HttpConnection(task.port)
  const bodies: string[] = []
  for (const request of task.requests) {
    const { status, body } = await connection.send(request)
    if (status !== 200) throw new Error(`A request failed with ${status}: ${body}`)
    if (task.dropBodies !== true) bodies.push(body)
  }
  connection.close()
  return bodies
}

/** On a connection of its own. */
export async function timeRequest(task: {
  readonly port: number
  readonly request: LoadRequest
}): Promise<number> {
  const connection = new HttpConnection(task.port)
  try {
    return await timed(connection, task.request)
  } finally {
    connection.close()
  }
}

async function timed(connection: HttpConnection, request: LoadRequest): Promise<number> {
  const start = performance.now()
  const { status, body } = await connection.send(request)
  if (status !== 200) throw new Error(`A request failed with ${status}: ${body}`)
  return performance.now() - start
}

/**
 * Waits for a point in time. @returns when the wait really ended, or the point itself where it had
 * passed: a timer that fires late is not the server's fault, a busy connection is.
 */
export async function until(due: number): Promise<number> {
  const wait = due - performance.now()
  if (wait <= 0) return due
  await new Promise((resolve) => setTimeout(resolve, wait))
  return performance.now()
}

export function resultOf(latencies: number[], milliseconds: number): BusyResult {
  latencies.sort((a, b) => a - b)
  const at = (share: number): number =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
  return {
    count: latencies.length,
    seconds: milliseconds / 1000,
    p50Milliseconds: at(0.5),
    p99Milliseconds: at(0.99),
  }
}
