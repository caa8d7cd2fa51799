export { registerQueue } from './register-operations.js'
export { RegisterService } from './register-service.js'
export { SectionsWithoutANoun } from './sections-without-a-noun.js'
