export {
  navigationViewAdded,
  navigationViewRemoved,
  navigationViewUpdated,
} from './navigation-view-events.js'
export {
  addNavigationView,
  editNavigationView,
  getNavigationViews,
  removeNavigationView,
} from './navigation-view-operations.js'
export { NavigationViewSection } from './navigation-view-snapshot.js'
