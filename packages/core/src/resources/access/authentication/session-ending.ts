import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork } from '../../../storage/index.js'
import { ApiKeys } from '../../people/credentials/index.js'
import { sessionsEnded } from '../../realtime/event-queues/index.js'
import {
  ExternalReferences,
  type AccountReference,
  type OrganizationReference,
} from '../../people/users/index.js'
import { accessTokens } from './access-tokens-table.js'
import { OwnApiKey } from './own-api-key.js'
import { socketTickets } from './socket-tickets-table.js'

/** The organization of the user whose sessions end, and the credentials that end too. */
export interface EndSessionsOptions extends OrganizationReference {
  /**
   * Whether the user's API key is also replaced, which ends the connections of its clients.
   *
   * @default false
   */
  readonly apiKeys?: boolean
}

/** Ends the tokens of a user, and connections opened with them or the application's own session. */
@perServer()
export class SessionEnding {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ExternalReferences) private readonly references: ExternalReferences,
    @inject(ApiKeys) private readonly apiKeys: ApiKeys,
    @inject(OwnApiKey) private readonly ownApiKey: OwnApiKey,
  ) {}

  /**
   * Does nothing if there is no such user.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
   * @throws {TypeError} if the reference is invalid.
   */
  async end(reference: AccountReference, options: EndSessionsOptions = {}): Promise<void> {
    const { organizationId, key } = await this.references.resolve(
      'chat.users.endSessions',
      reference,
      options,
    )
    const newKey = options.apiKeys === true ? this.apiKeys.create() : undefined
    await this.unitOfWork.run(organizationId, async (tx) => {
      const user = await this.references.find(tx, key)
      if (user === undefined) return
      await tx.rows(accessTokens).delete({ user_id: user.id })
      await tx.rows(socketTickets).delete({ user_id: user.id })
      tx.audit({ action: 'user.sessions_ended', objectId: user.id })
      tx.emit(sessionsEnded({ userId: user.id }))
      if (newKey !== undefined) await this.ownApiKey.replace(tx, user, newKey)
    })
  }
}
