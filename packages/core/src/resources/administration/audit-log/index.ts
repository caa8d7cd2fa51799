import { defineResource } from '../../../resource-definition/resource.js'
import { getAuditLog } from './audit-log-operations.js'
import { AuditRetention } from './audit-retention.js'

export { AuditLog, type AuditLogEntry, type AuditOptions } from './audit-log.js'

export const auditLog = defineResource({
  operations: [getAuditLog],
  backgroundWork: [AuditRetention],
})
