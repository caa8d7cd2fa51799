export { playgroundsChanged } from './playground-events.js'
export { addCodePlayground, removeCodePlayground } from './playground-operations.js'
export { PlaygroundSection } from './playground-snapshot.js'
