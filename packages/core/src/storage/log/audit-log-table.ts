import type {
  AuditAction,
  AuditActorType,
  AuditObjectType,
} from '../../domain/organizations/audit-actions.js'
import type { CallOrigin } from '../../domain/users/call-origin.js'
import { id, longText, seconds, string, user } from '../tables/column.js'
import { defineTable, type RowOf } from '../tables/table.js'
import { limits } from '../../domain/limits.js'

/** One row of the audit trail. */
export const auditLog = defineTable('audit_log', {
  columns: {
    id: id().exported(),
    created_at_seconds: seconds().exported(),
    action: string<AuditAction>(60).exported(),
    actor_type: string<AuditActorType>(20),
    /** Null unless it is a user. */
    actor_id: user({
      erasure: 'anonymized',
      because:
        'what the user has changed, without address and client; deleted with the audit trail',
    }).orNull(),
    object_type: string<AuditObjectType>(20).exported(),
    object_id: id().orNull().exported(),
    /** The user whom the change concerns; null for none. */
    user_id: user({
      erasure: 'kept',
      because: 'what was changed about the user; deleted with the audit trail',
    })
      .orNull()
      .exported(),
    /** JSON of `AuditChanges`; null for none. */
    changes: longText().orNull(),
    via: string<CallOrigin['via']>(10).exported(),
    client_address: string(45).orNull().exported(),
    client_name: string(limits.maxClientNameLength).orNull().exported(),
  },
  index: [
    // Each filter of the trail, newest first; the last one also serves the retention time.
    ['organization_id', 'id'],
    ['organization_id', 'action', 'id'],
    ['organization_id', 'actor_id', 'id'],
    ['organization_id', 'user_id', 'id'],
    ['organization_id', 'object_type', 'object_id', 'id'],
    ['organization_id', 'created_at_seconds'],
  ],
  archive: 'who changed what on the old server; `chat.audit` reads it',
  exports: {
    audited_change: 'actor_id',
    audited_account_change: {
      of: 'user_id',
      columns: ['id', 'created_at_seconds', 'action', 'object_type', 'object_id'],
    },
  },
})
export type AuditRow = RowOf<typeof auditLog>
