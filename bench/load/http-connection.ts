import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const headEnd = Buffer.from('\r\n\r\n')

/** The bytes of a request. */
export type LoadRequest = string | Uint8Array

export interface LoadAnswer {
  readonly status: number
  readonly body: string
  /** 0 without the header. */
  readonly retryAfterSeconds: number
}

/**
 * One keep-alive connection that sends requests whose bytes are ready. Costs a fraction of what
 * `node:http` would, so that the clients do not compete with the server for the processor.
 */
export class HttpConnection {
  readonly #socket: Socket
  #chunks: Buffer[] = []
  #receivedBytes = 0
  /** Of the answer that is arriving; 0 before its head is there. */
  #expectedBytes = 0
  #waiting: { resolve: (answer: LoadAnswer) => void; reject: (error: Error) => void } | undefined

  constructor(port: number) {
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true })
    this.#socket.on('data', (chunk) => this.#take(chunk))
    this.#socket.on('error', (error) => this.#fail(error))
    this.#socket.on('close', () => this.#fail(new Error('The server closed a connection')))
  }

  /** Waits until the server's system has taken the connection. */
  async opened(): Promise<void> {
    if (this.#socket.connecting) await once(this.#socket, 'connect')
  }

  /** Sends one request and waits for its answer; one at a time. */
  send(request: LoadRequest): Promise<LoadAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#waiting = undefined
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#receivedBytes += chunk.length
    // A long answer arrives in hundreds of chunks: they are put together once.
    if (this.#receivedBytes < this.#expectedBytes) return
    const received = Buffer.concat(this.#chunks)
    const headLength = received.indexOf(headEnd)
    const head = received.toString('latin1', 0, Math.max(headLength, 0))
    const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    const bodyStart = headLength + headEnd.length
    if (headLength === -1 || received.length < bodyStart + length) {
      this.#chunks = [received]
      this.#expectedBytes = headLength === -1 ? 0 : bodyStart + length
      return
    }
    const body = received.toString('utf8', bodyStart, bodyStart + length)
    const retryAfterSeconds = Number(/retry-after: *(\d+)/i.exec(head)?.[1] ?? 0)
    this.#chunks = [received.subarray(bodyStart + length)]
    this.#receivedBytes -= bodyStart + length
    this.#expectedBytes = 0
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.resolve({ status: Number(head.slice(9, 12)), body, retryAfterSeconds })
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error)
    this.#waiting = undefined
  }
}

/** The bytes of a GET request. */
export function getRequest(path: string, authorization: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: ${authorization}\r\n\r\n`
}

/** The bytes of a request with a form. The host names the organization, where there are several. */
export function postRequest(
  path: string,
  authorization: string,
  fields: Readonly<Record<string, string>>,
  method = 'POST',
  host = 'bench',
): string {
  const body = new URLSearchParams(fields).toString()
  return (
    `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n` +
    'Content-Type: application/x-www-form-urlencoded\r\nUser-Agent: BenchClient/1.0\r\n' +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}
