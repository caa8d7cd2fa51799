/** The programs of an installed server, or undefined if there is none. */
export function findPostgresServer(): object | undefined

/** See `private-mysql.mjs`. */
export function startPrivatePostgres(options?: {
  readonly durable?: boolean
  readonly options?: readonly string[]
  readonly baseBackup?: string
}): Promise<{
  readonly url: string
  readonly port: number
  readonly log: string
  readonly processId: number
  untilEnd(): Promise<void>
  stop(): Promise<void>
  shutDown(): Promise<void>
  /** Ends all of its processes by SIGKILL. */
  kill(): Promise<void>
  startAgain(): Promise<void>
}>
