import { inject } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import type { SnapshotContext, SnapshotSection } from '../snapshot/index.js'
import { PresenceReader } from './presence-reader.js'

@perServer()
export class PresenceSection implements SnapshotSection {
  constructor(@inject(PresenceReader) private readonly presences: PresenceReader) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('presence')) return {}
    const format = context.queue.slimPresence ? 'modern' : 'legacy'
    const query = { historyDays: context.presenceHistoryDays, format } as const
    return { ...(await this.presences.read(context.actor, query, context.scope)) }
  }
}
