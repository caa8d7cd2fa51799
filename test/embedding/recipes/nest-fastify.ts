import { VersioningType } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import {
  attachUpgrade,
  sendChatResponse,
  toChatRequest,
  type OneOrganizationOptions,
} from '@parley/core'

import { createProduct } from './nest.js'

export async function startProduct(options: OneOrganizationOptions, port: number) {
  const { chat, module } = await createProduct(options)
  const adapter = new FastifyAdapter()
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, { logger: false })
  app.setGlobalPrefix('api')
  app.enableVersioning({ type: VersioningType.URI })
  // Before `listen` or `init`, so that it is called before bodies are parsed.
  adapter.getInstance().addHook('onRequest', async (request, reply) => {
    const { protocol, host, ip } = request
    const framework = { protocol, host, ip } // as `trustProxy` determines them
    const answer = await chat.handle(
      toChatRequest(request.raw, reply.raw, { framework, passUnknownPaths: true }),
    )
    if (answer === undefined) return
    reply.hijack()
    // What earlier hooks have set, such as those of @fastify/cors and @fastify/helmet.
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    sendChatResponse(reply.raw, answer)
  })
  const server = app.getHttpServer()
  attachUpgrade(server, chat)

  await app.listen(port)
  return { chat, server, close: () => app.close() }
}
