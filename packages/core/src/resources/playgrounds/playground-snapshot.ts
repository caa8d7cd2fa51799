import { inject } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import type { SnapshotContext, SnapshotSection } from '../snapshot/index.js'
import { PlaygroundService } from './playground-service.js'

@perServer()
export class PlaygroundSection implements SnapshotSection {
  constructor(@inject(PlaygroundService) private readonly playgrounds: PlaygroundService) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('realm_playgrounds')) return {}
    return { realm_playgrounds: await this.playgrounds.list(context.scope) }
  }
}
