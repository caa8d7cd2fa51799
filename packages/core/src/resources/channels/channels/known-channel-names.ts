import { inject } from 'tsyringe'

import { FollowedLogs } from '../../../events/log/followed-logs.js'
import { ObservedRows } from '../../../events/log/observed-rows.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { ChannelRepository } from './channel-repository.js'

/** The names of channels, which every page of messages needs: kept until one of them changes. */
@perServer()
export class KnownChannelNames {
  readonly #names: ObservedRows<OrganizationScope, string>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(FollowedLogs) logs: FollowedLogs,
  ) {
    this.#names = new ObservedRows(logs, 'channel_names', {
      scopeOf: (organizationId) => database.read(organizationId),
      load: (scope, ids) => channels.namesOf(scope, ids),
      isAffectedBy: (kind) => kind.startsWith('stream/'),
      // A renamed channel may be new to all who see it, or hidden from all who saw it.
      changedIds: () => 'all',
    })
  }

  /** The names of channels by id; unknown ids are left out. */
  async of(scope: OrganizationScope, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    return this.database.readsPublished(scope)
      ? this.#names.findMany(scope.organizationId, ids)
      : this.channels.namesOf(scope, ids)
  }
}
