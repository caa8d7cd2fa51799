/** How one call is made. */
export interface CallOptions {
  /** Ends the call. Work that the server has begun by then is not undone. */
  readonly signal?: AbortSignal | undefined
  /** The call fails if it takes longer. @default that of the client */
  readonly timeoutMilliseconds?: number | undefined
  /** Called with the share of the file that is sent, from 0 to 1; in browsers only. */
  readonly onProgress?: ((share: number) => void) | undefined
}

/** A file, or other bytes with a name. */
export type FileToUpload = File | { readonly name: string; readonly content: Blob }

/** The bytes of a file, with its media type. */
export type ReturnedFile = Blob
