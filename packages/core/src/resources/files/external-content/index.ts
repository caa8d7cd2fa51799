import { defineResource } from '../../../resource-definition/resource.js'
import { readExternalContent } from './external-content-operations.js'

export { ExternalContentAddresses } from './external-content-addresses.js'
export {
  ExternalContentRulesToken,
  type ExternalContentOption,
  type ExternalContentRules,
} from './external-content-rules.js'
export { ExternalContent } from './external-content-service.js'

export const externalContent = defineResource({
  operations: [readExternalContent],
})
