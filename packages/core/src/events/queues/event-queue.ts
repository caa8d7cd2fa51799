/** The capabilities of a client, from `client_capabilities` of `POST /register`. */
export interface ClientCapabilities {
  readonly notification_settings_null?: boolean
  readonly bulk_message_deletion?: boolean
  readonly user_avatar_url_field_optional?: boolean
  readonly stream_typing_notifications?: boolean
  readonly user_settings_object?: boolean
  readonly linkifier_url_template?: boolean
  readonly user_list_incomplete?: boolean
  readonly include_deactivated_groups?: boolean
  readonly archived_channels?: boolean
  readonly empty_topic_name?: boolean
  readonly simplified_presence_events?: boolean
}

/** The options of a client's queue; fixed at registration. */
export interface EventQueueOptions {
  /** Types to deliver; null means all. */
  readonly eventTypes: readonly string[] | null
  /** Pairs of operator and operand that a message event must match. */
  readonly narrow: readonly (readonly [string, string])[]
  readonly allPublicStreams: boolean
  readonly applyMarkdown: boolean
  readonly clientGravatar: boolean
  readonly slimPresence: boolean
  /** Whether descriptions of channels include the subscribers: all, none, or a limited number. */
  readonly includeSubscribers: boolean | 'partial'
  readonly capabilities: ClientCapabilities
  readonly clientName: string
  /** How long the queue may go without a request before it is removed. */
  readonly idleTimeoutSeconds: number
}

/**
 * A client's subscription to the organization's event log: options and a starting point. The events
 * themselves are in the log.
 */
export interface EventQueue extends EventQueueOptions {
  /** Unguessable; starts with the organization's epoch and the user's id. */
  readonly id: string
  readonly organizationId: number
  readonly userId: number
  /** Entries up to this one are part of the client's initial snapshot. */
  readonly createdSeq: number
}
