export { signOn } from './sign-on-operations.js'
export {
  externalMethods,
  SignOnToken,
  type ExternalAuthenticationMethod,
  type SignOn,
} from './sign-on-settings.js'
