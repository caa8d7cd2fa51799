/** How a call reached the chat. */
export interface CallOrigin {
  /** A request of a client, or a call of the application's own code. */
  readonly via: 'http' | 'process'
  /** The address of the client, as rate limits count it; undefined for calls in the process. */
  readonly clientAddress: string | undefined
  /** The client's name, as messages record it; undefined for calls in the process. */
  readonly clientName: string | undefined
}

export const inProcess: CallOrigin = Object.freeze({
  via: 'process',
  clientAddress: undefined,
  clientName: undefined,
})
