import type { Readable } from 'node:stream'

import type { ChatError } from '../../errors/index.js'

/** A file part of a `multipart/form-data` body. */
export interface UploadedFile {
  readonly fieldName: string
  /** The client's name for the file. */
  readonly fileName: string
  readonly contentType: string
  readonly bytes: Buffer
  /** Whether the part was longer than allowed; `bytes` is then truncated. */
  readonly truncated: boolean
  /** The result of the operation's `upload.receive`; `bytes` is then empty. */
  readonly received?: unknown
}

/** A file part that is still arriving. */
export interface IncomingFile {
  /** The client's name for the file. */
  readonly fileName: string
  readonly contentType: string
  /** Emits an error when the request fails. */
  readonly content: Readable
}

/** Declares that an operation accepts file parts. */
export interface UploadDeclaration<Service> {
  /** Maximum size of a part, in bytes. */
  maxFileBytes(service: Service): number
  /**
   * Streams the first file part; without it, parts are buffered in memory. Other parts are listed
   * without their content.
   */
  receive?(service: Service, file: IncomingFile, organizationId: number): Promise<unknown>
  /** Discards the result of `receive` if the request failed before its operation was called. */
  abandon?(service: Service, received: unknown): Promise<void>
  /** The error that is sent as soon as a streamed part is too large. */
  tooLarge?(service: Service): ChatError
}
