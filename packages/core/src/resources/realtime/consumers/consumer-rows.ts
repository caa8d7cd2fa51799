/** A durable consumer of the log, and the process that handles its events at the moment. */
export interface ConsumerRow {
  name: string
  /** Identifies the server that holds the lease; null for none. */
  owner: string | null
  leased_until_seconds: number
  /** Changes with every use of the lease. */
  lease_token: string
  created_at_seconds: number
}

/** How far a consumer has handled the log of one organization. */
export interface ConsumerCursorRow {
  consumer: string
  organization_id: number
  /** Everything up to this entry is handled, parked or of no interest. */
  cursor_seq: number
  /** Failed attempts at the next event. */
  attempts: number
  /** When the next event may be tried again. */
  due_at_seconds: number
  /** Number of entries that were deleted before they were handled. */
  missed: number
}

/** An event that a consumer could not handle; its content is in the log only. */
export interface ConsumerParkedEventRow {
  id: number
  consumer: string
  organization_id: number
  seq: number
  attempts: number
  /** The text of the last error. */
  error: string
  parked_at_seconds: number
  /** When it is tried again; null if not. */
  due_at_seconds: number | null
}

declare module '../../../storage/rows/tables.js' {
  interface Tables {
    consumers: ConsumerRow
    consumer_cursors: ConsumerCursorRow
    consumer_parked_events: ConsumerParkedEventRow
  }
}
