export { registerQueue } from './register-operations.js'
export { RegisterService } from './register-service.js'
