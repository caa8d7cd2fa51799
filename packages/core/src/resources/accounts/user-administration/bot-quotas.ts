import { inject } from 'tsyringe'

import { Quotas } from '../../../domain/quotas.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { OwnedBotRepository } from '../../people/users/index.js'

/** Limits the bots of each user. */
@perServer()
export class BotQuotas {
  constructor(
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(OwnedBotRepository) private readonly bots: OwnedBotRepository,
  ) {}

  /** @throws {ChatError} `BAD_REQUEST` if `ownerId` may not own one more bot. */
  async requireAnother(
    tx: Transaction,
    ownerId: number,
    { isActive }: { readonly isActive: boolean },
  ): Promise<void> {
    this.quotas.require('botsPerUser', (await this.bots.countOf(tx, ownerId)) + 1)
    if (isActive) await this.requireAnotherActive(tx, ownerId)
  }

  /** @throws {ChatError} `BAD_REQUEST` if `ownerId` may not have one more active bot. */
  async requireAnotherActive(tx: Transaction, ownerId: number): Promise<void> {
    this.quotas.require('activeBotsPerUser', (await this.bots.countActiveOf(tx, ownerId)) + 1)
  }
}
