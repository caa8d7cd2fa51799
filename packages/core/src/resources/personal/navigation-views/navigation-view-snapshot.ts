import { Type } from 'typebox'

import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { NavigationView } from './navigation-view-schemas.js'
import { NavigationViewService } from './navigation-view-service.js'

export const navigationViewSnapshot = defineSnapshot({
  keys: { navigation_views: Type.Array(NavigationView) },
  fetchType: 'navigation_views',
  service: NavigationViewService,
  async load(views, context) {
    return { navigation_views: await views.list(context.actor, context.scope) }
  },
})
