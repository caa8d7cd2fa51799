export { DescribeApiToken } from './api-description.js'
export { getApiDescription } from './api-description-operations.js'
