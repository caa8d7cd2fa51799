export { playgroundEvents } from './playground-events.js'
export { playgroundFile } from './playground-file-section.js'
export { playgroundOperations } from './playground-operations.js'
export { PlaygroundSection, playgroundKeys } from './playground-snapshot.js'
