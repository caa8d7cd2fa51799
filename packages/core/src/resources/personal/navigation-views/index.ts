import { defineResource } from '../../../resource-definition/resource.js'
import {
  navigationViewAdded,
  navigationViewRemoved,
  navigationViewUpdated,
} from './navigation-view-events.js'
import {
  addNavigationView,
  editNavigationView,
  getNavigationViews,
  removeNavigationView,
} from './navigation-view-operations.js'
import { navigationViewSnapshot } from './navigation-view-snapshot.js'

export { navigationViewFile } from './navigation-view-file-section.js'

export const navigationViews = defineResource({
  operations: [getNavigationViews, addNavigationView, editNavigationView, removeNavigationView],
  events: [navigationViewAdded, navigationViewUpdated, navigationViewRemoved],
  snapshot: navigationViewSnapshot,
})
