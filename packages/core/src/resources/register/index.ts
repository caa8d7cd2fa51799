export { registerQueue } from './register-operations.js'
export { SectionsWithoutANoun } from './sections-without-a-noun.js'
