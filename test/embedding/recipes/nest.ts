import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'

import {
  Controller,
  Get,
  Headers,
  HttpCode,
  Inject,
  Module,
  Post,
  Res,
  VersioningType,
  type OnModuleDestroy,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import {
  createChatServer,
  type ChatServer,
  type HostIdentity,
  type OneOrganizationOptions,
} from '@parley/core'
import { attachChatUpgrade, createChatMiddleware } from '@parley/express'

const Chat = Symbol('Chat')
const Sessions = Symbol('Sessions')

/** The product's sessions, by cookie. */
type SessionsByCookie = Map<string, HostIdentity>

/** `/api/v1/session`, beside the chat's paths. */
@Controller({ path: 'session', version: '1' })
class SessionController {
  constructor(
    @Inject(Chat) private readonly chat: ChatServer,
    @Inject(Sessions) private readonly sessions: SessionsByCookie,
  ) {}

  @Get()
  show(@Headers('cookie') cookie = ''): object {
    return { user: this.sessions.get(cookie)?.fullName ?? null }
  }

  @Post('start')
  @HttpCode(200)
  start(
    @Res({ passthrough: true }) response: { header(name: string, value: string): unknown },
  ): string {
    const id = randomUUID()
    const user = { externalId: '7', email: 'ada@product.example', fullName: 'Ada Byron' }
    this.sessions.set(`session=${id}`, user)
    response.header('Set-Cookie', `session=${id}; Path=/; HttpOnly; SameSite=Lax`)
    return 'welcome'
  }

  @Post('end')
  @HttpCode(200)
  async end(@Headers('cookie') cookie = ''): Promise<string> {
    const user = this.sessions.get(cookie)
    this.sessions.delete(cookie)
    if (user !== undefined) await this.chat.users.endSessions(user.externalId)
    return 'goodbye'
  }
}

@Module({ controllers: [SessionController] })
class ProductModule implements OnModuleDestroy {
  constructor(@Inject(Chat) private readonly chat: ChatServer) {}

  /** Ends long polls and WebSockets, for which the server would wait. */
  onModuleDestroy(): Promise<void> {
    return this.chat.close()
  }
}

/** The same on Express and on Fastify. */
export async function createProduct(options: OneOrganizationOptions) {
  const sessions: SessionsByCookie = new Map()
  const chat = createChatServer({
    ...options,
    identify: ({ headers }) => sessions.get(headers.cookie ?? ''),
  })
  await chat.start()

  const providers = [
    { provide: Chat, useValue: chat },
    { provide: Sessions, useValue: sessions },
  ]
  return { chat, module: { module: ProductModule, providers } }
}

export async function startProduct(options: OneOrganizationOptions, port: number) {
  const { chat, module } = await createProduct(options)
  const app = await NestFactory.create<NestExpressApplication>(module, { logger: false })
  app.setGlobalPrefix('api')
  app.enableVersioning({ type: VersioningType.URI })
  // Before `listen` or `init`, which add Nest's body parsers. The controllers have paths below
  // /api/v1 too, so the chat passes on those that it does not know.
  app.use(createChatMiddleware(chat, { passUnknownPaths: true }))
  const server: Server = app.getHttpServer()
  attachChatUpgrade(server, chat, app.getHttpAdapter().getInstance())

  await app.listen(port)
  return { chat, server, close: () => app.close() }
}
