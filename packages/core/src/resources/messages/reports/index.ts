import { defineResource } from '../../../resource-definition/resource.js'
import { reportMessage } from './message-report-operations.js'

export const messageReports = defineResource({
  operations: [reportMessage],
})
