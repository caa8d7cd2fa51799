import type { OrganizationPlan } from '../harness/organization.js'
import type { BenchDatabase } from '../harness/databases.js'
import type { Memory } from '../harness/memory.js'
import type { Blocks } from './block-watch.js'

/** What a server's own process can be asked to do. */
export interface ServerTasks {
  /** Starts a host with the chat mounted, and loads the organization, if one is given. */
  start(task: {
    readonly database: BenchDatabase
    readonly plan?: OrganizationPlan
    /** A folder for uploads. */
    readonly files: string
    /** Of a Redis server that connects it with other processes. @default without a bus */
    readonly redisPort?: number
  }): Promise<{ readonly port: number }>
  /** Creates an account as a product does. @returns how many milliseconds it took. */
  signUp(task: { readonly externalId: number }): Promise<number>
  /** Watches the event loop from now on. */
  watchBlocks(task: Record<string, never>): Promise<void>
  /** What has been seen since then. */
  reportBlocks(task: Record<string, never>): Promise<Blocks>
  /** What the process uses, after a collection of garbage. */
  measureMemory(task: Record<string, never>): Promise<Memory>
  /** Writes a heap snapshot, which takes several times the memory of the heap. */
  writeSnapshot(task: { readonly file: string }): Promise<void>
  /** How many statements it has sent to an SQLite database. Only differences mean anything. */
  sqliteStatements(task: Record<string, never>): Promise<number>
  /** Seconds that the process has computed so far. */
  processorSeconds(task: Record<string, never>): Promise<number>
  /** Closes the server; fails if the chat has logged a warning or an error. */
  stop(task: Record<string, never>): Promise<void>
}
