/**
 * A process with the clients of two users, by a WebSocket and by long polls. Prints what they have
 * and what they have left as a line of JSON; started by `processes.test.ts`.
 */
import { ChatClient, type SocketConstructor } from '@parley/client'
import { WebSocket } from 'ws'

interface User {
  readonly email: string
  readonly apiKey: string
}

const [url = '', users = '[]'] = process.argv.slice(2)
const globalsBefore = new Set(Object.getOwnPropertyNames(globalThis))
// What the test has written.
const clients = (JSON.parse(users) as User[]).map(
  (user, index) =>
    new ChatClient({
      url,
      credentials: { type: 'apiKey', ...user },
      // The client uses a part of what it has.
      ...(index === 0 && { WebSocket: WebSocket as unknown as SocketConstructor }),
    }),
)
const received: string[][] = []
for (const client of clients) {
  const contents: string[] = []
  received.push(contents)
  client.open()
  client.active()
  const to = { direct: [(await client.api.getOwnUser()).user_id] }
  client.typing(to)
  client.outbox.send({ to, content: 'a note' })
}
while (clients.some(({ outbox }) => outbox.messages.length > 0)) {
  await new Promise((resolve) => setImmediate(resolve))
}
for (const [index, { api }] of clients.entries()) {
  const { messages } = await api.getMessages({ anchor: 'newest', num_before: 1 })
  received[index]?.push(...messages.map(({ sender_email }) => sender_email))
}
// A message that waits must not keep the process alive either.
clients[0]?.outbox.send({ to: { direct: [1] }, content: 'x' })
await Promise.all(clients.map((client) => client.close()))
const newGlobals = Object.getOwnPropertyNames(globalThis).filter((name) => !globalsBefore.has(name))
process.stdout.write(`${JSON.stringify({ received, newGlobals })}\n`)
