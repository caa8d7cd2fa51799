import type { FloodResult, FloodTask } from './flood-load.js'
import type { LoadRequest } from './http-connection.js'
import type { BusyResult, BusyTask, PacedTask } from './request-load.js'
import type { PollTask } from './poll-load.js'
import type { ShownMessage } from './soak-client.js'
import type { ReconnectTask, SoakClientsTask, UserHistory } from './soak-clients.js'
import type { SoakRequestsTask, SoakResult } from './soak-requests.js'
import type { SocketTask } from './socket-load.js'

/** What the load process can be asked to do. */
export interface LoadTasks {
  /** Each connection sends its next request as soon as it has its answer. */
  keepBusy(task: BusyTask): Promise<BusyResult>
  /** Sends requests at a fixed rate, whatever the answers do. */
  keepPace(task: PacedTask): Promise<BusyResult>
  /** Sends at a fixed rate on whichever connections are free, and pauses where it is asked to. */
  flood(task: FloodTask): Promise<FloodResult>
  /**
   * Sends requests one after the other.
   *
   * @returns the bodies of their answers; none with `dropBodies`, because reading them from this
   *   process is work for the one that is measured.
   */
  askAll(task: {
    readonly port: number
    readonly requests: readonly LoadRequest[]
    readonly dropBodies?: boolean
  }): Promise<string[]>
  /** Sends one request. @returns the milliseconds until its answer was there. */
  timeRequest(task: { readonly port: number; readonly request: LoadRequest }): Promise<number>
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
  /** Sends messages, edits, flags and joins at a fixed rate. */
  sendMix(task: SoakRequestsTask): Promise<SoakResult>
  /** Opens clients that keep a history. */
  openClients(task: SoakClientsTask): Promise<void>
  /** Drops connections of these clients, and continues on others. */
  reconnectClients(task: ReconnectTask): Promise<void>
  /** How many events the clients have got since they were opened, and what was wrong. */
  reportClients(
    task: Record<string, never>,
  ): Promise<{ readonly received: number; readonly problems: readonly string[] }>
  /** @returns whose history differs from the log's. */
  compareHistories(task: {
    readonly users: ReadonlyMap<number, UserHistory>
  }): Promise<readonly string[]>
  /** @returns which clients of a user do not show these, the user's newest messages. */
  compareMessages(task: {
    readonly userId: number
    readonly messages: readonly ShownMessage[]
  }): Promise<readonly string[]>
  closeClients(task: Record<string, never>): Promise<void>
}
