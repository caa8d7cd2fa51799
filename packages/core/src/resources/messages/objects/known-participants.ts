import { inject } from 'tsyringe'

import { FollowedLogs } from '../../../events/log/followed-logs.js'
import { ObservedRows } from '../../../events/log/observed-rows.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { ConversationRepository } from './conversation-repository.js'

/** The participants of direct conversations: they never change, and are kept after the first read. */
@perServer()
export class KnownParticipants {
  readonly #participants: ObservedRows<OrganizationScope, readonly number[]>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @inject(FollowedLogs) logs: FollowedLogs,
  ) {
    this.#participants = new ObservedRows(logs, 'participants', {
      scopeOf: (organizationId) => database.read(organizationId),
      load: (scope, recipientIds) => conversations.members(scope, recipientIds),
      isAffectedBy: () => false,
      changedIds: () => [],
    })
  }

  /** The participants of each conversation, ascending, by recipient id. */
  async of(
    scope: OrganizationScope,
    recipientIds: readonly number[],
  ): Promise<ReadonlyMap<number, readonly number[]>> {
    return this.database.readsPublished(scope)
      ? this.#participants.findMany(scope.organizationId, recipientIds)
      : this.conversations.members(scope, recipientIds)
  }
}
