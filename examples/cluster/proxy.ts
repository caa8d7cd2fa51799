import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'

import { exitWith } from '../support/arguments.js'
import { listen } from '../support/serve.js'

/**
 * A load balancer of the smallest kind: each request goes to the next server, and to another one if
 * that does not listen. `proxy.ts PORT SERVER_PORT…`
 */
const [port = 0, ...targets] = process.argv.slice(2).map(Number)
if (targets.length === 0) exitWith(2, 'proxy.ts PORT SERVER_PORT…')
let count = 0

function nextPort(): number {
  count += 1
  return targets[count % targets.length] as number
}

function forward(incoming: IncomingMessage, response: ServerResponse, attempt = 1): void {
  const { method, url, headers } = incoming
  const { connection: _, ...others } = headers
  const outgoing = request({ host: '127.0.0.1', port: nextPort(), method, path: url, agent: false })
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined) outgoing.setHeader(name, value)
  }
  outgoing
    .once('socket', (socket) => socket.once('connect', () => incoming.pipe(outgoing)))
    .once('response', (answer) => {
      const { connection: __, ...answerHeaders } = answer.headers
      response.writeHead(answer.statusCode ?? 502, answerHeaders)
      answer.pipe(response)
      // The client must not take half of an answer for all of it.
      answer.once('error', () => response.destroy())
    })
    .once('error', (error: NodeJS.ErrnoException) => {
      // Only a request that certainly nobody has received may be sent again.
      if (error.code === 'ECONNREFUSED' && attempt < targets.length) {
        forward(incoming, response, attempt + 1)
      } else if (response.headersSent) {
        response.destroy()
      } else {
        response.writeHead(502, { 'content-type': 'text/plain' }).end('No server answers.')
      }
    })
  response.once('close', () => outgoing.destroy())
}

function forwardSocket(incoming: IncomingMessage, socket: Duplex, head: Buffer, attempt = 1): void {
  const target = connect(nextPort(), '127.0.0.1')
  let isConnected = false
  target
    .once('connect', () => {
      isConnected = true
      const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`]
      for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
        lines.push(`${incoming.rawHeaders[index]}: ${incoming.rawHeaders[index + 1]}`)
      }
      target.write(`${lines.join('\r\n')}\r\n\r\n`)
      target.write(head)
      socket.pipe(target).pipe(socket)
      socket.once('close', () => target.destroy())
    })
    .on('error', () => {})
    .once('close', () => {
      if (isConnected || attempt === targets.length) socket.destroy()
      else forwardSocket(incoming, socket, head, attempt + 1)
    })
}

const server = createServer((incoming, response) => forward(incoming, response))
server.on('upgrade', (incoming, socket, head) => {
  socket.on('error', () => {})
  forwardSocket(incoming, socket, head)
})
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0))
await listen(server, port, [])
