import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { hasRole, Role } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import {
  defineSnapshot,
  type SnapshotContext,
  type SnapshotValues,
} from '../../../resource-definition/snapshot.js'
import { managesBot, OwnedBotRepository } from '../../people/users/index.js'
import { ManagedBot } from './bot-events.js'
import { BotView } from './bot-view.js'

/** The keys of this part of the snapshot. */
const botKeys = {
  realm_bots: Type.Array(ManagedBot),
  realm_embedded_bots: Type.Array(Type.Unknown(), { maxItems: 0 }),
  realm_incoming_webhook_bots: Type.Array(Type.Unknown(), { maxItems: 0 }),
}

/**
 * The bots that the client's own user manages, with the API keys of the user's own; and the
 * built-in ones.
 */
@perServer()
export class BotSnapshot {
  constructor(
    @inject(OwnedBotRepository) private readonly bots: OwnedBotRepository,
    @inject(BotView) private readonly view: BotView,
  ) {}

  async load(context: SnapshotContext): Promise<SnapshotValues<typeof botKeys>> {
    return {
      ...(context.wants('realm_bot') ? { realm_bots: await this.#managed(context) } : {}),
      // The server has no built-in bots, and no integrations for incoming webhooks.
      ...(context.wants('realm_embedded_bots') ? { realm_embedded_bots: [] } : {}),
      ...(context.wants('realm_incoming_webhook_bots') ? { realm_incoming_webhook_bots: [] } : {}),
    }
  }

  async #managed({ scope, actor }: SnapshotContext): Promise<ManagedBot[]> {
    if (actor.isBot) return []
    const isAdministrator = hasRole(actor, Role.administrator)
    const bots = await this.bots.list(scope, isAdministrator ? undefined : actor.userId)
    const viewer = { id: actor.userId, role: actor.role }
    return this.view.describe(
      scope,
      bots.filter((bot) => managesBot(viewer, bot)),
      actor,
    )
  }
}

export const botSnapshot = defineSnapshot({
  keys: botKeys,
  service: BotSnapshot,
  load: async (service, context) => service.load(context),
})
