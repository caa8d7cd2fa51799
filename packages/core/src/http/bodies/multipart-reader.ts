import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import type { IncomingHttpHeaders } from 'node:http'

import { badRequest } from '../../errors/index.js'
import { MalformedFormError, maxFieldCount, type FormFields } from '../parameters/form-fields.js'
import type { BodyShare } from './body-budget.js'
import type { IncomingFile, UploadedFile } from './uploaded-file.js'

const maxFileCount = 20
/** A part of a chunk that is too small to count: boundaries are shorter. */
const maxHeldBytes = 1024

/** The upload declaration of one request; see `UploadDeclaration`. */
export interface UploadPlan {
  readonly maxFileBytes: number
  readonly receive: ((file: IncomingFile) => Promise<unknown>) | undefined
  readonly abandon: (received: unknown) => Promise<void>
  readonly tooLarge: () => Error
}

/** The part that is streamed. */
interface Receiving {
  readonly stream: BusboyFileStream
  readonly result: Promise<unknown>
  /** The error with which its stream has ended. */
  failure?: Error
}

/** Parses a `multipart/form-data` body (RFC 7578) within limits. */
export class MultipartReader {
  readonly #busboy: BusboyInstance
  readonly #files: UploadedFile[] = []
  readonly #finished: Promise<void>
  #formBytes = 0
  #writtenBytes = 0
  #countedBytes = 0
  #failure: Error | undefined
  #reportFailure!: (reason: Error) => void
  readonly #failed = new Promise<never>((_, reject) => {
    this.#reportFailure = reject
  })
  #abandonReceived: (received: unknown) => Promise<void> = async () => {}
  #receiving: Receiving | undefined

  /** @throws {MalformedFormError} if the `Content-Type` names no boundary. */
  constructor(
    headers: IncomingHttpHeaders,
    upload: UploadPlan | undefined,
    private readonly limits: { readonly maxFormBytes: number; readonly share: BodyShare },
    private readonly fields: FormFields,
  ) {
    const contentType = headers['content-type'] ?? ''
    try {
      this.#busboy = new Busboy({
        headers: { ...headers, 'content-type': contentType },
        limits: {
          fieldNameSize: 1024,
          fieldSize: limits.maxFormBytes,
          fields: maxFieldCount,
          files: maxFileCount,
          // One byte more than allowed, so that a buffered file of exactly the limit is not
          // truncated.
          ...(upload && { fileSize: upload.maxFileBytes + (upload.receive ? 0 : 1) }),
        },
      })
    } catch (error) {
      throw new MalformedFormError('Not multipart', { cause: error })
    }
    this.#busboy.on('field', (name, value, nameTruncated, valueTruncated) => {
      this.#takeField(name, value, nameTruncated || valueTruncated)
    })
    this.#busboy.on('file', (name, stream, fileName, _transferEncoding, contentType) => {
      stream.on('error', (error: Error) => {
        // The code that receives the part may have ended it, because it cannot be stored.
        if (this.#receiving?.stream === stream) this.#receiving.failure = error
        else this.#fail(brokenPart(error))
      })
      if (upload === undefined) this.#discard(stream)
      else if (upload.receive !== undefined) {
        this.#receive(stream, { fieldName: name, fileName, contentType }, upload, upload.receive)
      } else this.#collect(stream, { fieldName: name, fileName, contentType }, upload.maxFileBytes)
    })
    this.#busboy.on('fieldsLimit', () => this.#fail(new MalformedFormError('Too many fields')))
    this.#busboy.on('filesLimit', () => this.#fail(new MalformedFormError('Too many files')))
    this.#finished = new Promise((resolve, reject) => {
      this.#busboy.on('finish', () => resolve())
      this.#busboy.on('error', (error) => {
        reject(this.#fail(new MalformedFormError('Broken multipart', { cause: error })))
      })
    })
    // Handled in end(); until then a failure must not count as an unhandled rejection.
    this.#finished.catch(() => {})
    this.#failed.catch(() => {})
  }

  /** @throws {Error} as soon as the body is known to be invalid. */
  write(chunk: Buffer): boolean {
    const wantsMore = this.#busboy.write(chunk)
    this.#count(chunk.length)
    if (this.#failure) throw this.#failure
    return wantsMore
  }

  /**
   * Counts everything but the bytes of the part that is streamed, also discarded ones: otherwise a
   * body could be as large as it likes, and hide fields among the bytes that do not count.
   */
  #count(byteLength: number): void {
    this.#writtenBytes += byteLength
    const streamedBytes = this.#receiving?.stream.bytesRead ?? 0
    const uncounted = this.#writtenBytes - streamedBytes - this.#countedBytes
    // The parser holds back bytes that may be the beginning of a boundary.
    if (this.#receiving !== undefined && uncounted <= maxHeldBytes) return
    this.limits.share.takeChunk(uncounted)
    this.#countedBytes += uncounted
  }

  onceReady(callback: () => void): void {
    this.#busboy.once('drain', callback)
  }

  onFailure(report: (reason: unknown) => void): void {
    this.#failed.catch(report)
  }

  /** Discards the part that is or was streamed. */
  async abandon(): Promise<void> {
    if (this.#receiving === undefined) return
    this.#receiving.stream.destroy(new MalformedFormError('The request failed'))
    await this.#receiving.result.then(this.#abandonReceived, () => {})
  }

  /**
   * Ends the body.
   *
   * @returns the file parts, in order.
   * @throws {MalformedFormError} if the closing boundary is missing.
   */
  async end(): Promise<readonly UploadedFile[]> {
    this.#busboy.end()
    await Promise.race([this.#finished, this.#failed])
    await this.#receiving?.result
    if (this.#failure) throw this.#failure
    return this.#files
  }

  /** @returns the first failure, which is the one that is reported. */
  #fail(error: Error): Error {
    this.#failure ??= error
    this.#reportFailure(this.#failure)
    return this.#failure
  }

  #takeField(name: string | undefined, value: string, isTruncated: boolean): void {
    if (name === undefined) return
    this.#formBytes += name.length + value.length
    if (isTruncated || this.#formBytes > this.limits.maxFormBytes) {
      this.#fail(badRequest('PAYLOAD_TOO_LARGE'))
      return
    }
    this.fields.set(name, value)
  }

  #receive(
    stream: BusboyFileStream,
    part: { fieldName: string; fileName: string; contentType: string },
    upload: UploadPlan,
    receive: (file: IncomingFile) => Promise<unknown>,
  ): void {
    const file = { ...part, bytes: Buffer.alloc(0), truncated: false }
    if (this.#receiving !== undefined) {
      this.#files.push(file)
      this.#discard(stream)
      return
    }
    try {
      this.limits.share.takeStreamedFile()
    } catch (error) {
      this.#fail(error as Error)
      this.#discard(stream)
      return
    }
    this.#abandonReceived = upload.abandon
    stream.on('limit', () => this.#fail(upload.tooLarge()))
    const { fileName, contentType } = part
    const result = receive({ fileName, contentType, content: stream })
    const receiving: Receiving = { stream, result }
    this.#receiving = receiving
    result
      .then((received) => this.#files.push({ ...file, received }))
      .catch((error: unknown) => {
        const { failure } = receiving
        this.#fail(
          failure !== undefined && error === failure ? brokenPart(failure) : (error as Error),
        )
      })
  }

  #discard(stream: BusboyFileStream): void {
    stream.resume()
  }

  #collect(
    stream: BusboyFileStream,
    part: { fieldName: string; fileName: string; contentType: string },
    maxFileBytes: number,
  ): void {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const truncated = bytes.length > maxFileBytes
      this.#files.push({
        ...part,
        bytes: truncated ? bytes.subarray(0, maxFileBytes) : bytes,
        truncated,
      })
    })
  }
}

function brokenPart(cause: Error): MalformedFormError {
  return new MalformedFormError('Broken file part', { cause })
}
