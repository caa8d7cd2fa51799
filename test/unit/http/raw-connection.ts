import net from 'node:net'
import { text } from 'node:stream/consumers'

import { within } from '../../support/waiting.js'

/** A connection on which a test writes raw bytes, also invalid HTTP. */
export class RawConnection {
  private constructor(readonly socket: net.Socket) {}

  static async open(port: number): Promise<RawConnection> {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    socket.on('error', () => socket.destroy())
    return new RawConnection(socket)
  }

  /** Resolves when the text is sent; false if the other side does not accept it. */
  async write(text: string | Buffer): Promise<boolean> {
    return new Promise((resolve) => this.socket.write(text, (error) => resolve(!error)))
  }

  /** Resolves with everything received once it matches `pattern`. */
  async receive(pattern: RegExp): Promise<string> {
    let received = ''
    const coming = new Promise<string>((resolve, reject) => {
      this.socket.on('data', (chunk) => {
        received += chunk.toString('latin1')
        if (pattern.test(received)) resolve(received)
      })
      this.socket.once('close', () => reject(new Error(`Closed after: ${received}`)))
    })
    return within(`${pattern} on a connection`, coming, { instead: () => received })
  }

  /** Everything that is received until the other side closes the connection. */
  async rest(): Promise<string> {
    return within('the end of a connection', text(this.socket))
  }

  destroy(): void {
    this.socket.destroy()
  }
}
