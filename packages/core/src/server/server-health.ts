import { inject } from 'tsyringe'

import type { EventBus } from '../events/bus/bus.js'
import { EventDelivery } from '../events/delivery.js'
import { perServer } from '../kernel/per-server.js'
import { SearchIndex } from '../resources/messages/search-index/index.js'
import { ServerSecret } from '../resources/people/credentials/index.js'
import { Consumers } from '../resources/realtime/consumers/index.js'
import { Backlogs, Database, WriteProbe } from '../storage/index.js'
import type { ChatHealth } from './chat-server.js'

/** The facts read from the database; undefined while it does not respond. */
type StoredHealth = Required<
  Pick<ChatHealth, 'oldSecretsInUse' | 'consumers' | 'searchIndex' | 'backlogs'>
> & { readonly logEntries: number }

/** Reads the state of a server, for health checks. */
@perServer()
export class ServerHealth {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(EventDelivery) private readonly delivery: EventDelivery,
    @inject(ServerSecret) private readonly secret: ServerSecret,
    @inject(Consumers) private readonly consumers: Consumers,
    @inject(SearchIndex) private readonly searchIndex: SearchIndex,
    @inject(Backlogs) private readonly backlogs: Backlogs,
    @inject(WriteProbe) private readonly writeProbe: WriteProbe,
  ) {}

  async read(state: ChatHealth['state'], bus: EventBus): Promise<ChatHealth> {
    let isUp = true
    let isWritable: boolean | undefined
    let stored: StoredHealth | undefined
    try {
      await this.database.ping()
    } catch {
      isUp = false
    }
    if (isUp && (state === 'started' || state === 'draining')) {
      // The server works without these numbers.
      stored = await this.#readStored().catch(() => undefined)
      isWritable = await this.writeProbe.isWritable()
    }
    const { logEntries, ...others } = stored ?? {}
    const replica = this.database.replicaState
    return {
      isLive: state !== 'closed',
      isReady: state === 'started' && isUp && isWritable === true,
      state,
      database: stateOf(isUp, isWritable),
      ...(replica !== undefined && { readReplica: replica }),
      bus: bus.isConnected === false ? 'down' : 'up',
      openQueues: this.delivery.queueCount,
      log: {
        lag: this.delivery.logs.lag,
        ...(logEntries !== undefined && { entries: logEntries }),
      },
      ...others,
    }
  }

  async #readStored(): Promise<StoredHealth> {
    return {
      oldSecretsInUse: await this.secret.listOthersInUse(),
      consumers: await this.consumers.states(),
      searchIndex: await this.searchIndex.state(),
      backlogs: await this.backlogs.count(),
      logEntries: await this.backlogs.countLogEntries(),
    }
  }
}

/** @param isWritable undefined if unknown. */
function stateOf(isUp: boolean, isWritable: boolean | undefined): ChatHealth['database'] {
  if (!isUp) return 'down'
  return isWritable === false ? 'unwritable' : 'up'
}
