import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { NavigationView } from './navigation-view-schemas.js'
import { NavigationViewService } from './navigation-view-service.js'

/** The keys that the snapshot adds to the response of `POST /register`. */
export const navigationViewKeys = { navigation_views: Type.Array(NavigationView) }

@perServer()
export class NavigationViewSection implements SnapshotSection {
  constructor(@inject(NavigationViewService) private readonly views: NavigationViewService) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('navigation_views')) return {}
    return { navigation_views: await this.views.list(context.actor, context.scope) }
  }
}
