export { registerQueue } from './register-operations.js'
export { Registration } from './registration.js'
export { UnsupportedSections } from './unsupported-sections.js'
