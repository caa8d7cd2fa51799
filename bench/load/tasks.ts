import type { BusyResult, BusyTask, PacedTask } from './request-load.js'
import type { PollTask } from './poll-load.js'
import type { SocketTask } from './socket-load.js'

/** What the load process can be asked to do. */
export interface LoadTasks {
  /** Each connection sends its next request as soon as it has its answer. */
  keepBusy(task: BusyTask): Promise<BusyResult>
  /** Sends requests at a fixed rate, whatever the answers do. */
  keepPace(task: PacedTask): Promise<BusyResult>
  /**
   * Sends requests one after the other.
   *
   * @returns the bodies of their answers; none with `dropBodies`, because reading them from this
   *   process is work for the one that is measured.
   */
  askAll(task: {
    readonly port: number
    readonly requests: readonly string[]
    readonly dropBodies?: boolean
  }): Promise<string[]>
  /** Opens pollers; each polls again only when told to. */
  openPollers(task: PollTask): Promise<void>
  /** Lets every poller poll once. Answered when all have their answers. */
  pollOnce(task: { readonly marker: string }): Promise<void>
  closePollers(task: Record<string, never>): Promise<void>
  /** Opens WebSockets. Answered when all are open. */
  openSockets(task: SocketTask): Promise<void>
  /** Answered when the sockets have got so many events since they were opened. */
  awaitEvents(task: { readonly count: number }): Promise<void>
  closeSockets(task: Record<string, never>): Promise<void>
}

export type TaskName = keyof LoadTasks

export interface TaskCall {
  readonly call: number
  readonly task: TaskName
  readonly parameters: never
}

export interface TaskReply {
  readonly call: number
  readonly value?: unknown
  readonly error?: string
}
