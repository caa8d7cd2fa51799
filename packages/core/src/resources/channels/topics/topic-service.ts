import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database } from '../../../storage/index.js'
import { ChannelAccess } from '../channels/index.js'
import { mayReadWholeHistory } from '../message-permissions/index.js'
import { TopicRepository, type TopicRow } from './topic-repository.js'

/** Lists the topics of channels: those that have messages. */
@perServer()
export class TopicService {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(TopicRepository) private readonly topics: TopicRepository,
  ) {}

  /**
   * The topics of the messages that `actor` can access, the one with the newest message first.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such channel, or `actor` cannot access it.
   */
  async list(actor: Actor, channelId: number): Promise<TopicRow[]> {
    const scope = this.database.read(actor.organizationId)
    const found = await this.access.requireReadable(scope, actor, channelId)
    return mayReadWholeHistory(await this.access.viewer(actor), found)
      ? this.topics.list(scope, channelId)
      : this.topics.listReceived(scope, channelId, actor.userId)
  }
}
