import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { hasRole, Role } from '../../domain/actor.js'
import { perServer } from '../../kernel/per-server.js'
import type { SnapshotContext, SnapshotSection } from '../snapshot/index.js'
import { UserRepository } from '../users/index.js'
import { ManagedBot } from './bot-schemas.js'
import { BotView } from './bot-view.js'

/** What the section adds to the answer of `POST /register`. */
export const botKeys = {
  realm_bots: Type.Array(ManagedBot),
  realm_embedded_bots: Type.Array(Type.Unknown(), { maxItems: 0 }),
  realm_incoming_webhook_bots: Type.Array(Type.Unknown(), { maxItems: 0 }),
}

/** The bots that the client's own user manages, with their API keys; and the built-in ones. */
@perServer()
export class BotSection implements SnapshotSection {
  constructor(
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(BotView) private readonly view: BotView,
  ) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    return {
      ...(context.wants('realm_bot') ? { realm_bots: await this.#managed(context) } : {}),
      // The server comes with no bots of its own, and with no formats of other services' news.
      ...(context.wants('realm_embedded_bots') ? { realm_embedded_bots: [] } : {}),
      ...(context.wants('realm_incoming_webhook_bots') ? { realm_incoming_webhook_bots: [] } : {}),
    }
  }

  async #managed({ scope, actor }: SnapshotContext): Promise<unknown[]> {
    const managesAll = hasRole(actor, Role.administrator) && !actor.isBot
    const bots = await this.users.listBots(scope, managesAll ? undefined : actor.userId)
    return this.view.describe(scope, bots, actor)
  }
}
