/** The programs of an installed server, or undefined if there is none. */
export function findMysqlServer(): { readonly isMariaDb: boolean } | undefined

/** See `private-mysql.mjs`. */
export function startPrivateMysql(options?: {
  readonly durable?: boolean
  readonly options?: readonly string[]
}): Promise<{
  readonly url: string
  readonly port: number
  readonly processId: number
  untilEnd(): Promise<void>
  stop(): Promise<void>
  shutDown(): Promise<void>
  /** Ends all of its processes by SIGKILL. */
  kill(): Promise<void>
  startAgain(): Promise<void>
}>

export function withMemoryLimit(
  program: string,
  parameters: readonly string[],
): [string, readonly string[]]
