export { navigationViewEvents } from './navigation-view-events.js'
export { navigationViewFile } from './navigation-view-file-section.js'
export { navigationViewOperations } from './navigation-view-operations.js'
export { NavigationViewSection, navigationViewKeys } from './navigation-view-snapshot.js'
