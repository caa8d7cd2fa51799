import { once } from 'node:events'

import { createChatServer, type HostIdentity, type OneOrganizationOptions } from '@parley/core'
import { attachChatUpgrade, createChatMiddleware } from '@parley/express'
import express from 'express'

// Your product's own users: staff are members (400) or more; who has no role is a customer.
const staff: HostIdentity[] = [
  { externalId: 'olive', email: 'olive@shop.example', fullName: 'Olive Owner', role: 100 },
  { externalId: 'sam', email: 'sam@shop.example', fullName: 'Sam Staff', role: 400 },
]
const customers: HostIdentity[] = [
  { externalId: 'ada', email: 'ada@mail.example', fullName: 'Ada Byron' },
  { externalId: 'ben', email: 'ben@mail.example', fullName: 'Ben Ito' },
]
const sessions = new Map(
  [...staff, ...customers].map((user) => [`session=${user.externalId}`, user]),
)

export async function startProduct(options: OneOrganizationOptions, port: number) {
  const chat = createChatServer({
    ...options,
    identify: ({ headers }) => sessions.get(headers.cookie ?? '') ?? null,
  })
  await chat.start()
  const [owner] = staff
  if (owner === undefined) throw new Error('The chat needs an owner')
  await chat.organizations.ensure({ name: 'The Shop', preset: 'support', owner })
  await chat.users.sync(staff)

  // The channel of a customer and the staff.
  async function channelOf(customer: HostIdentity): Promise<number> {
    await chat.users.sync([customer])
    const channel = await chat.channels.ensure({
      externalId: `customer:${customer.externalId}`,
      name: `Customer ${customer.externalId}`,
      isPrivate: true,
      isHistoryShared: true,
      subscribers: [...staff, customer].map(({ externalId }) => ({ externalId })),
    })
    return channel.id
  }

  const app = express().use(createChatMiddleware(chat))
  app.get('/help', (request, response, next) => {
    const customer = sessions.get(request.headers.cookie ?? '')
    if (customer === undefined || staff.includes(customer)) {
      response.sendStatus(404)
      return
    }
    const show = (channelId: number) =>
      response.send(`<script type="module" src="/assets/parley/parley.min.js"></script>
        <parley-chat channel="${channelId}"></parley-chat>`)
    channelOf(customer).then(show, next)
  })
  const server = app.listen(port)
  attachChatUpgrade(server, chat, app)
  await once(server, 'listening')
  const close = async () => {
    await chat.close()
    server.close()
  }
  return { chat, server, close }
}
