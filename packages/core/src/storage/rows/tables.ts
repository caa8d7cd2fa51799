import type {
  AuditAction,
  AuditActorType,
  AuditObjectType,
} from '../../domain/organizations/audit-actions.js'
import type { CallOrigin } from '../../domain/users/call-origin.js'

/**
 * The row type of every table, by its name without prefix. Each repository adds its own tables:
 * `declare module '../../../storage/tables.js' { interface Tables { reactions: ReactionRow } }`.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by declaration merging
export interface Tables {
  organizations: OrganizationRow
  events: EventRow
  event_audiences: EventAudienceRow
  audit_log: AuditRow
}

export type TableName = keyof Tables & string

/** The columns of an organization that the lower layers need. */
export interface OrganizationRow {
  id: number
  /** The newest entry of the organization's event log. */
  event_seq: number
}

export interface EventRow {
  organization_id: number
  seq: number
  kind: string
  audience_id: number | null
  /** The interned list of recipients by subscription to all public channels; null for none. */
  follower_audience_id: number | null
  /** The interned list of users from whom it was withdrawn; null for none. */
  withdrawn_audience_id: number | null
  /** The message whose text is in `data`. */
  message_id: number | null
  /** JSON of recipients and their fields, or null if the audience has all recipients. */
  recipients: string | null
  /** JSON. */
  data: string
  created_at_seconds: number
  /** In the first entry of a transaction whose commit may get no answer; see `CommitOutcomes`. */
  commit_mark?: number | null
}

export interface EventAudienceRow {
  id: number
  organization_id: number
  /** SHA-256 of the sorted ids, or of the difference; hexadecimal. */
  member_hash: string
  /** The whole list from which this one differs; null if this is a whole list. */
  base_id: number | null
  /** Ascending ids, comma-separated: all, or those that `base_id` does not contain. */
  user_ids: string
  /** Likewise: those that only `base_id` contains; null if this is a whole list. */
  removed_user_ids: string | null
  interned_at_seconds: number
}

/** One row of the audit trail. */
export interface AuditRow {
  id: number
  organization_id: number
  created_at_seconds: number
  action: AuditAction
  actor_type: AuditActorType
  /** Null unless it is a user. */
  actor_id: number | null
  object_type: AuditObjectType
  object_id: number | null
  /** The user whom the change concerns; null for none. */
  user_id: number | null
  /** JSON of `AuditChanges`; null for none. */
  changes: string | null
  via: CallOrigin['via']
  client_address: string | null
  client_name: string | null
}
