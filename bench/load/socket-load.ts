import { once } from 'node:events'

import { WebSocket } from 'ws'

export interface SocketTask {
  readonly sockets: readonly { readonly url: string; readonly authorization: string }[]
  /** Occurs once in every event that counts. */
  readonly marker: string
}

const openAtOnce = 50

/** Clients that count the events that WebSockets bring. */
export class SocketLoad {
  readonly #sockets: WebSocket[] = []
  #received = 0
  #waiting: { count: number; resolve: () => void } | undefined

  async open({ sockets, marker }: SocketTask): Promise<void> {
    const bytes = Buffer.from(marker)
    for (let start = 0; start < sockets.length; start += openAtOnce) {
      await Promise.all(
        sockets.slice(start, start + openAtOnce).map(async ({ url, authorization }) => {
          const socket = new WebSocket(url, {
            headers: { authorization },
            perMessageDeflate: false,
            skipUTF8Validation: true,
          })
          this.#sockets.push(socket)
          socket.on('message', (data: Buffer) => this.#count(data, bytes))
          await once(socket, 'open')
        }),
      )
    }
  }

  async awaitEvents(count: number): Promise<void> {
    if (this.#received >= count) return
    await new Promise<void>((resolve) => {
      this.#waiting = { count, resolve }
    })
  }

  close(): void {
    for (const socket of this.#sockets) socket.terminate()
  }

  #count(data: Buffer, marker: Buffer): void {
    let at = data.indexOf(marker)
    while (at !== -1) {
      this.#received += 1
      at = data.indexOf(marker, at + marker.length)
    }
    if (this.#waiting === undefined || this.#received < this.#waiting.count) return
    this.#waiting.resolve()
    this.#waiting = undefined
  }
}
