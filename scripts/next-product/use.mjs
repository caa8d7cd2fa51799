import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'

import { WebSocket } from 'ws'

/** Starts the product in this process and uses it, also after Next.js has added its listener. */
const reserved = createServer().listen(0)
await once(reserved, 'listening')
const { port } = reserved.address()
reserved.close()
await once(reserved, 'close')
process.env.PORT = String(port)
await import('./server.mjs')

const origin = `http://localhost:${port}`
const headers = { cookie: 'session=1', origin }
const call = async (path, init = {}) => fetch(origin + path, { headers, ...init })

async function open(path) {
  const socket = new WebSocket(origin.replace('http', 'ws') + path, { headers })
  await once(socket, 'open')
  return socket
}

async function use() {
  const page = await (await call('/some/page')).text()
  assert.match(page, /of the product: (<!-- -->)?some\/page/)
  assert.deepEqual(await (await call('/api/orders')).json(), ['4711'])
  const anonymous = await fetch(`${origin}/api/v1/users/me`)
  assert.equal(anonymous.status, 401)
  const me = await (await call('/api/v1/users/me')).json()
  assert.equal(me.full_name, 'Ada Byron')

  const socket = await open('/api/v1/events?event_types=["message"]')
  const frame = once(socket, 'message')
  const body = new URLSearchParams({
    type: 'direct',
    to: `[${me.user_id}]`,
    content: 'through Next',
  })
  const sent = await call('/api/v1/messages', { method: 'POST', body })
  assert.equal(sent.status, 200)
  assert.match(String(await frame), /through Next/)
  // The development server's own WebSocket.
  if (process.env.NODE_ENV !== 'production') await open('/_next/hmr?id=1')
}

// Next.js catches errors that nobody handles, and keeps the process alive.
try {
  await use()
  process.exit(0)
} catch (error) {
  console.error(error)
  process.exit(1)
}
