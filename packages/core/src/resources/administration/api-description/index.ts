import { Type } from 'typebox'

import { defineOperation, DocumentReply } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { ApiDescription } from './api-description.js'

export { DescribeApiToken } from './api-description.js'
export { apiTopics, groupNameOf, topicOf } from './api-topics.js'
export { parameterDescriptions } from './parameter-descriptions.js'
export { eventComponents, eventSchema, heartbeat } from './event-components.js'

const getApiDescription = defineOperation({
  id: 'get-api-description',
  summary: 'Get the OpenAPI document of this server, generated from the declarations that it runs.',
  method: 'GET',
  path: '/openapi.json',
  access: 'anyone',
  servesUnknownHosts: true,
  countedByAddress: true,
  params: {},
  response: Type.Object({}, { additionalProperties: true }),
  mediaType: 'application/json',
  otherStatuses: [304],
  errors: [],
  service: ApiDescription,
  handle(description) {
    const { json, etag } = description.document()
    return new DocumentReply(json, etag)
  },
})

export const apiDescription = defineResource({
  operations: [getApiDescription],
})
