/** The programs of an installed server, or undefined if there is none. */
export function findMysqlServer(): object | undefined

/** See `private-mysql.mjs`. */
export function startPrivateMysql(options?: { readonly durable?: boolean }): Promise<{
  readonly url: string
  readonly port: number
  readonly processId: number
  untilEnd(): Promise<void>
  stop(): Promise<void>
  shutDown(): Promise<void>
  startAgain(): Promise<void>
}>
