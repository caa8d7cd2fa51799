/** The parts of a browser's `XMLHttpRequest` that the client uses. */
export interface UploadRequest {
  readonly status: number
  readonly responseText: string
  readonly upload: {
    addEventListener(
      type: 'progress',
      listener: (event: { readonly loaded: number; readonly total: number }) => void,
    ): void
  }
  withCredentials: boolean
  addEventListener(type: 'load' | 'error', listener: () => void): void
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getResponseHeader(name: string): string | null
  send(body: FormData): void
  abort(): void
}

export type UploadRequestConstructor = new () => UploadRequest

interface Upload {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: FormData
  readonly sendsCookies: boolean
  readonly signal: AbortSignal
  readonly onProgress: (share: number) => void
}

/** Headers of answers that the client reads. */
const readHeaders = ['content-type', 'retry-after']

/**
 * Sends a form like `fetch`, which cannot say how much of it is sent.
 *
 * @throws {TypeError} if the network fails.
 */
export function sendWithProgress(
  XMLHttpRequest: UploadRequestConstructor,
  { method, url, headers, body, sendsCookies, signal, onProgress }: Upload,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = (): void => {
      signal.removeEventListener('abort', stop)
      reject(new TypeError('The network failed'))
    }
    const stop = (): void => {
      request.abort()
      fail()
    }
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
    request.addEventListener('error', fail)
    request.addEventListener('load', () => {
      signal.removeEventListener('abort', stop)
      const headers = readHeaders.flatMap((name): [string, string][] => {
        const value = request.getResponseHeader(name)
        return value === null ? [] : [[name, value]]
      })
      const { status } = request
      // The others may have no text.
      const text = [204, 205, 304].includes(status) ? null : request.responseText
      resolve(new Response(text, { status, headers }))
    })
    request.open(method, url)
    request.withCredentials = sendsCookies
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    else request.send(body)
  })
}
