import { inject } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import { perServer } from '../../kernel/per-server.js'
import { UnitOfWork } from '../../storage/index.js'
import { ApiKeys } from '../credentials/index.js'
import { AccountStepsToken, botUpdated, UserRepository, type AccountStep } from '../users/index.js'

/** Lets users and bots replace their API keys. */
@perServer()
export class OwnApiKey {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(ApiKeys) private readonly apiKeys: ApiKeys,
    @inject(AccountStepsToken) private readonly steps: () => readonly AccountStep[],
  ) {}

  /**
   * Gives `actor` another key. The old one is dead at once; event queues go on under the new one.
   *
   * @returns the new key.
   */
  async regenerate(actor: Actor): Promise<string> {
    const apiKey = this.apiKeys.create()
    await this.unitOfWork.run(actor.organizationId, async (tx) => {
      await this.users.update(tx, actor.userId, this.apiKeys.store(apiKey))
      tx.emit({ kind: '@user', data: { userId: actor.userId }, audience: {} })
      for (const step of this.steps()) await step.keyReplaced?.(tx, actor.userId)
      if (!actor.isBot) return
      const managers = await this.users.listBotManagerIds(tx, actor.botOwnerId)
      tx.emit(
        botUpdated({ userIds: managers }, { bot: { user_id: actor.userId, api_key: apiKey } }),
      )
    })
    return apiKey
  }
}
