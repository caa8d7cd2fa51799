/**
 * The row type of every table, by its name without prefix. Each repository adds its own tables:
 * `declare module '../../storage/tables.js' { interface Tables { reactions: ReactionRow } }`.
 */
// eslint-disable-next-line typescript/no-empty-object-type -- filled by declaration merging
export interface Tables {
  organizations: OrganizationRow
  events: EventRow
  event_audiences: EventAudienceRow
}

export type TableName = keyof Tables & string

/** An organization, as the rooms that know no noun need it. */
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
  /** The list of those who get it if they asked for all public channels; null for nobody. */
  follower_audience_id: number | null
  /** The list of those who may no longer get it; null for nobody. */
  withdrawn_audience_id: number | null
  /** The message whose text `data` holds. */
  message_id: number | null
  /** JSON of recipients and their fields, or null for those of the audience alone. */
  recipients: string | null
  /** JSON. */
  data: string
  created_at_seconds: number
}

export interface EventAudienceRow {
  id: number
  organization_id: number
  /** SHA-256 of the sorted ids, hexadecimal. */
  member_hash: string
  /** Ascending ids, comma-separated. */
  user_ids: string
  interned_at_seconds: number
}
