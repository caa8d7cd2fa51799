import {
  Body,
  ConflictException,
  Controller,
  Get,
  Header,
  Headers,
  Inject,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Redirect,
  Res,
  UnauthorizedException,
  type DynamicModule,
  type OnModuleDestroy,
} from '@nestjs/common'
import type { ChatServer } from '@parley/core'
import type { FastifyReply } from 'fastify'

import { Accounts } from './accounts.js'
import type { Account } from './database.js'
import { Orders } from './orders.js'
import { loginPage, orderPage, ordersPage, policy, style } from './pages.js'

const Chat = Symbol('Chat')
const html = 'text/html; charset=utf-8'

@Controller()
class ShopController {
  constructor(
    @Inject(Accounts) private readonly accounts: Accounts,
    @Inject(Orders) private readonly orders: Orders,
    @Inject(Chat) private readonly chat: ChatServer,
  ) {}

  @Get('shop.css')
  @Header('Content-Type', 'text/css')
  showStyle(): string {
    return style
  }

  @Get('login')
  @Header('Content-Type', html)
  showLogin(): string {
    return loginPage
  }

  @Post('login')
  @Redirect('/', 303)
  async login(
    @Body() { email, password }: Readonly<Record<string, unknown>>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const cookie = await this.accounts.login(String(email), String(password))
    if (cookie === undefined) throw new UnauthorizedException('Address or password is wrong.')
    reply.header('Set-Cookie', cookie)
  }

  @Post('logout')
  @Redirect('/login', 303)
  async logout(@Headers('cookie') cookie?: string): Promise<void> {
    const account = await this.accounts.find(cookie)
    await this.accounts.logout(cookie)
    // Polls and WebSockets outlive the request that opened them.
    if (account !== undefined) await this.chat.users.endSessions(account.id)
  }

  @Get()
  async list(@Res() reply: FastifyReply, @Headers('cookie') cookie?: string): Promise<void> {
    const account = await this.accounts.find(cookie)
    if (account === undefined) reply.redirect('/login', 303)
    else reply.type(html).send(ordersPage(account, await this.orders.list(account)))
  }

  @Get('orders/:id')
  @Header('Content-Type', html)
  @Header('Content-Security-Policy', policy)
  async show(
    @Param('id', ParseIntPipe) id: number,
    @Headers('cookie') cookie?: string,
  ): Promise<string> {
    const order = await this.orders.find(await this.#account(cookie), id)
    if (order === undefined) throw new NotFoundException()
    return orderPage(order)
  }

  @Post('orders')
  @Redirect('/', 303)
  async place(
    @Body('item') item: unknown,
    @Headers('cookie') cookie?: string,
  ): Promise<{ url: string }> {
    const id = await this.orders.place(await this.#account(cookie), String(item))
    if (id === undefined) throw new ConflictException('This item is sold out.')
    return { url: `/orders/${id}` }
  }

  async #account(cookie: string | undefined): Promise<Account> {
    const account = await this.accounts.find(cookie)
    if (account === undefined) throw new UnauthorizedException('Log in first.')
    return account
  }
}

@Module({ controllers: [ShopController] })
export class ShopModule implements OnModuleDestroy {
  constructor(@Inject(Chat) private readonly chat: ChatServer) {}

  static of(accounts: Accounts, orders: Orders, chat: ChatServer): DynamicModule {
    const providers = [
      { provide: Accounts, useValue: accounts },
      { provide: Orders, useValue: orders },
      { provide: Chat, useValue: chat },
    ]
    return { module: ShopModule, providers }
  }

  /** Ends long polls and WebSockets, for which the server would wait. */
  onModuleDestroy(): Promise<void> {
    return this.chat.close()
  }
}
