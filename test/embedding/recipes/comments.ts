import { once } from 'node:events'

import { createChatServer, type HostIdentity, type OneOrganizationOptions } from '@parley/core'
import { attachChatUpgrade, createChatMiddleware } from '@parley/express'
import express from 'express'

// Your product's own sessions and orders.
const shop = { externalId: 'shop', email: 'orders@shop.example', fullName: 'The Shop' }
const ada = { externalId: 'ada', email: 'ada@mail.example', fullName: 'Ada Byron' }
const ben = { externalId: 'ben', email: 'ben@mail.example', fullName: 'Ben Ito' }
const sessions = new Map<string, HostIdentity>([
  ['session=shop', shop],
  ['session=ada', ada],
  ['session=ben', ben],
])
const orders = new Map([
  ['1', { customer: ada }],
  ['2', { customer: ben }],
])

export async function startProduct(options: OneOrganizationOptions, port: number) {
  const chat = createChatServer({
    ...options,
    identify: ({ headers }) => sessions.get(headers.cookie ?? '') ?? null,
  })
  await chat.start()
  await chat.organizations.ensure({ name: 'The Shop', preset: 'comments', owner: shop })

  // The channel with the comments on an order, for its customer and the shop.
  async function channelOf(orderId: string, customer: HostIdentity): Promise<number> {
    await chat.users.sync([customer])
    const channel = await chat.channels.ensure({
      externalId: `order:${orderId}`,
      name: `Order ${orderId}`,
      isPrivate: true,
      isHistoryShared: true,
      subscribers: [shop, customer].map(({ externalId }) => ({ externalId })),
    })
    return channel.id
  }

  const app = express().use(createChatMiddleware(chat))
  app.get('/orders/:id', (request, response, next) => {
    const { id } = request.params
    const order = orders.get(id)
    const user = sessions.get(request.headers.cookie ?? '')
    if (order === undefined || (user !== shop && user !== order.customer)) {
      response.sendStatus(404)
      return
    }
    const show = (channelId: number) =>
      response.send(`<script type="module" src="/assets/parley/parley.min.js"></script>
        <parley-chat channel="${channelId}" topic="comments"></parley-chat>`)
    channelOf(id, order.customer).then(show, next)
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
