import { defineResource } from '../../../resource-definition/resource.js'
import { signOn } from './sign-on-operations.js'

export { loginLocation } from './sign-on-service.js'
export {
  externalMethods,
  SignOnToken,
  type ExternalAuthenticationMethod,
  type SignOn,
} from './sign-on-settings.js'

export const singleSignOn = defineResource({
  operations: [signOn],
})
