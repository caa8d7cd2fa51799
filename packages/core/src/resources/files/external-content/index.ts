export { ExternalContentAddresses } from './external-content-addresses.js'
export { externalContentOperations } from './external-content-operations.js'
export {
  ExternalContentRulesToken,
  type ExternalContentOption,
  type ExternalContentRules,
} from './external-content-rules.js'
export { ExternalContent } from './external-content-service.js'
