import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** Creates a self-signed certificate for `localhost`. */
export async function makeCertificate(): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'chat-tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  try {
    await promisify(execFile)('openssl', [
      ...'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost'.split(' '),
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      cert,
    ])
    return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A proxy that terminates TLS and forwards requests and upgrades to a server on this machine. */
export class TlsProxy implements AsyncDisposable {
  private constructor(
    readonly origin: string,
    private readonly server: ReturnType<typeof createServer>,
  ) {}

  static async listen(certificate: Certificate, target: string): Promise<TlsProxy> {
    const server = createServer(certificate)
    const forwarded = ({ method, url, headers, socket }: IncomingMessage) =>
      request(new URL(url ?? '/', target), {
        method,
        agent: false,
        headers: {
          ...headers,
          host: new URL(target).host,
          'x-forwarded-proto': 'https',
          'x-forwarded-host': headers.host ?? '',
          'x-forwarded-for': socket.remoteAddress ?? '',
        },
      })
    server.on('request', (incoming, outgoing) => {
      const onward = forwarded(incoming)
      onward.once('response', (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
      onward.once('error', () => outgoing.destroy())
      incoming.pipe(onward)
    })
    server.on('upgrade', (incoming, client, head: Buffer) => {
      const onward = forwarded(incoming)
      const answerHead = ({ statusCode, rawHeaders }: IncomingMessage): string => {
        const lines = rawHeaders.map((part, index) => part + (index % 2 === 0 ? ': ' : '\r\n'))
        return `HTTP/1.1 ${statusCode} Proxied\r\n${lines.join('')}\r\n`
      }
      onward.once('upgrade', (answer, upstream, first: Buffer) => {
        client.write(answerHead(answer))
        client.write(first)
        upstream.write(head)
        upstream.pipe(client).pipe(upstream)
        upstream.once('error', () => client.destroy())
        client.once('error', () => upstream.destroy())
      })
      onward.once('response', (answer) => {
        client.write(answerHead(answer))
        answer.pipe(client)
      })
      onward.once('error', () => client.destroy())
      onward.end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new TlsProxy(`https://localhost:${(server.address() as AddressInfo).port}`, server)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    const isClosed = once(this.server, 'close')
    this.server.close()
    await isClosed
  }
}
