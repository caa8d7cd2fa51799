export { ApiDescription, DescribeApiToken, type DescribeApi } from './api-description.js'
export { getApiDescription } from './api-description-operations.js'
