import { defineResource } from '../../../resource-definition/resource.js'
import {
  navigationViewAdded,
  navigationViewRemoved,
  navigationViewUpdated,
} from './navigation-view-events.js'
import { navigationViewFile } from './navigation-view-file-section.js'
import {
  addNavigationView,
  editNavigationView,
  getNavigationViews,
  removeNavigationView,
} from './navigation-view-operations.js'
import { navigationViewSnapshot } from './navigation-view-snapshot.js'

export const navigationViews = defineResource({
  operations: [getNavigationViews, addNavigationView, editNavigationView, removeNavigationView],
  events: [navigationViewAdded, navigationViewUpdated, navigationViewRemoved],
  snapshot: navigationViewSnapshot,
  fileSection: navigationViewFile,
})
