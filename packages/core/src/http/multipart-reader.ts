import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import type { IncomingHttpHeaders } from 'node:http'

import { badRequest } from '../errors/index.js'
import { MalformedFormError, maxFieldCount, type FormFields } from './form-fields.js'
import type { Operation, UploadedFile } from './operation.js'

const maxFileCount = 20

/** Takes a `multipart/form-data` body (RFC 7578) apart, within limits. */
export class MultipartReader {
  readonly #busboy: BusboyInstance
  readonly #files: UploadedFile[] = []
  readonly #finished: Promise<void>
  #formBytes = 0
  #failure: Error | undefined

  /** @throws {MalformedFormError} if the `Content-Type` names no boundary. */
  constructor(
    headers: IncomingHttpHeaders,
    upload: Operation['upload'],
    private readonly maxFormBytes: number,
    private readonly fields: FormFields,
  ) {
    const contentType = headers['content-type'] ?? ''
    try {
      this.#busboy = new Busboy({
        headers: { ...headers, 'content-type': contentType },
        limits: {
          fieldNameSize: 1024,
          fieldSize: maxFormBytes,
          fields: maxFieldCount,
          files: maxFileCount,
          // One more than is taken, so that a file of exactly the limit does not count as cut.
          ...(upload && { fileSize: upload.maxFileBytes + 1 }),
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
        this.#fail(new MalformedFormError('Broken file part', { cause: error }))
      })
      if (upload === undefined) stream.resume()
      else this.#collect(stream, { fieldName: name, fileName, contentType }, upload.maxFileBytes)
    })
    this.#busboy.on('fieldsLimit', () => this.#fail(new MalformedFormError('Too many fields')))
    this.#busboy.on('filesLimit', () => this.#fail(new MalformedFormError('Too many files')))
    this.#finished = new Promise((resolve, reject) => {
      this.#busboy.on('finish', () => resolve())
      this.#busboy.on('error', (error) => {
        reject(this.#fail(new MalformedFormError('Broken multipart', { cause: error })))
      })
    })
    // Looked at in end(); until then a failure must not count as an unhandled rejection.
    this.#finished.catch(() => {})
  }

  /** @throws {Error} as soon as the body is known to be unacceptable. */
  write(chunk: Buffer): void {
    this.#busboy.write(chunk)
    if (this.#failure) throw this.#failure
  }

  /**
   * Says that the body is complete.
   *
   * @returns the file parts, in order.
   * @throws {MalformedFormError} if the closing boundary is missing.
   */
  async end(): Promise<readonly UploadedFile[]> {
    this.#busboy.end()
    await this.#finished
    if (this.#failure) throw this.#failure
    return this.#files
  }

  /** @returns the first failure, which is the one that is reported. */
  #fail(error: Error): Error {
    this.#failure ??= error
    return this.#failure
  }

  #takeField(name: string | undefined, value: string, isTruncated: boolean): void {
    if (name === undefined) return
    this.#formBytes += name.length + value.length
    if (isTruncated || this.#formBytes > this.maxFormBytes) {
      this.#fail(badRequest('Request body is too large'))
      return
    }
    this.fields.set(name, value)
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
