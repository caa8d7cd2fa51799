import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { Playground } from './playground-schemas.js'
import { PlaygroundService } from './playground-service.js'

/** The keys that the section adds to the response of `POST /register`. */
export const playgroundKeys = { realm_playgrounds: Type.Array(Playground) }

@perServer()
export class PlaygroundSection implements SnapshotSection {
  constructor(@inject(PlaygroundService) private readonly playgrounds: PlaygroundService) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('realm_playgrounds')) return {}
    return { realm_playgrounds: await this.playgrounds.list(context.scope) }
  }
}
