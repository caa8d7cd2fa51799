import { defineResource } from '../../../resource-definition/resource.js'
import { showMailUnsubscription, unsubscribeFromMails } from './mail-unsubscription-operations.js'

export const mailUnsubscription = defineResource({
  operations: [showMailUnsubscription, unsubscribeFromMails],
})
