import { createServer } from 'node:http'

import { createChatServer, sendChatResponse, toChatRequest } from '@parley/core'
import next from 'next'

const sessions = new Map([
  ['session=1', { externalId: '7', email: 'ada@product.example', fullName: 'Ada Byron' }],
])
const chat = createChatServer({
  database: {
    client: 'sqlite3',
    connection: { filename: 'product.sqlite' },
    useNullAsDefault: true,
  },
  identify: ({ headers }) => sessions.get(headers.cookie ?? ''),
})
await chat.start()
await chat.organizations.load({
  organization: { name: 'My product' },
  users: [
    { id: 1, external_id: '7', email: 'ada@product.example', full_name: 'Ada Byron', role: 100 },
  ],
})

const server = createServer(async (request, response) => {
  try {
    const answer = await chat.handle(toChatRequest(request, response))
    if (answer) sendChatResponse(response, answer)
    else await handle(request, response)
  } catch (error) {
    response.destroy(error)
  }
})
const forNext = createServer() // gets the upgrade listener of Next.js; never listens
const app = next({ dev: process.env.NODE_ENV !== 'production', httpServer: forNext })
await app.prepare()
const handle = app.getRequestHandler()
server.on('upgrade', (request, socket, head) => {
  if (!chat.handleUpgrade(request, socket, head)) forNext.emit('upgrade', request, socket, head)
})
server.listen(Number(process.env.PORT ?? 3000))
