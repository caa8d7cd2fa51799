import { defineResource } from '../../../resource-definition/resource.js'
import { DigestDelivery } from './digest-delivery.js'

export const digests = defineResource({
  backgroundWork: [DigestDelivery],
})
