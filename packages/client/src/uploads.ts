import type { ChatApi, Registration, UploadFileResult } from './api.js'
import { withAnySignal } from './abort.js'
import type { CallOptions, FileToUpload } from './call.js'
import { FileTooLargeError, reasonOf } from './errors.js'

/** More at the same time would only be slower each. */
const maxUploads = 3

/** Uploads files, a few at the same time. */
export class Uploads {
  readonly #api: Pick<ChatApi, 'uploadFile'>
  readonly #waiting: (() => void)[] = []
  #count = 0
  #closing = new AbortController()
  /** Undefined until the server has sent its state. */
  #maxMebibytes: number | undefined

  constructor(api: Pick<ChatApi, 'uploadFile'>) {
    this.#api = api
  }

  registered({ max_file_upload_size_mib }: Registration): void {
    this.#maxMebibytes = max_file_upload_size_mib
  }

  /** @throws {FileTooLargeError} before anything is sent. */
  async upload(file: FileToUpload, options: CallOptions): Promise<UploadFileResult> {
    const { size } = 'content' in file ? file.content : file
    const max = this.#maxMebibytes
    if (max !== undefined && size > max * 2 ** 20) throw new FileTooLargeError(max)
    return withAnySignal([options.signal, this.#closing.signal], async ({ signal }) => {
      await this.#place(signal)
      try {
        return await this.#api.uploadFile({ file }, { ...options, signal })
      } finally {
        const next = this.#waiting.shift()
        if (next === undefined) this.#count -= 1
        else next()
      }
    })
  }

  /** Ends all uploads. */
  close(): void {
    this.#closing.abort(new Error('The client was closed'))
    this.#closing = new AbortController()
  }

  /** Waits until another upload can begin. */
  async #place(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#count < maxUploads) {
      this.#count += 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', stop)
        resolve()
      }
      const stop = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1)
        reject(reasonOf(signal))
      }
      this.#waiting.push(begin)
      signal.addEventListener('abort', stop, { once: true })
    })
  }
}
