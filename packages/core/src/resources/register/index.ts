export { registerQueue } from './register-operations.js'
export { Registration } from './registration.js'
export { SectionsWithoutANoun } from './sections-without-a-noun.js'
