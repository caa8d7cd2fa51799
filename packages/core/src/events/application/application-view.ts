import type { EventCatalogue } from '../event-catalogue.js'
import { renderEvent, type WireEvent } from '../event.js'
import type { LogRecord } from '../log/log-entry.js'
import type { EventQueue } from '../queues/event-queue.js'

/** The properties that the application's view of a record depends on. */
export type RecordedEvent = Pick<
  LogRecord,
  'kind' | 'data' | 'groups' | 'recipients' | 'audienceId'
>

/** An event and the users who get it, if they are listed one by one. */
export interface AddressedEvent {
  readonly event: WireEvent
  readonly userIds: readonly number[] | undefined
}

/** More users of one event than this have no external ids. */
export const maxNamedUsers = 1000

/**
 * The queue of a client that supports everything, belongs to no user and wants texts as they were
 * written.
 */
const applicationQueue: EventQueue = {
  id: '',
  organizationId: 0,
  userId: 0,
  createdSeq: 0,
  eventTypes: null,
  narrow: [],
  allPublicStreams: true,
  applyMarkdown: false,
  clientGravatar: false,
  slimPresence: false,
  includeSubscribers: true,
  capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: true,
    user_settings_object: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    simplified_presence_events: true,
  },
  clientName: '',
  idleTimeoutSeconds: 0,
}

/** The events of a record for the application; none for those of older clients. */
export function renderForApplication(
  catalogue: EventCatalogue,
  record: RecordedEvent,
): readonly AddressedEvent[] {
  const { kind, data, groups, recipients, audienceId } = record
  const definition = catalogue.find(kind)
  if (definition === undefined || definition.isLegacy === true) return []
  const defaults = definition.defaultFields?.(data) ?? {}
  if (definition.accepts?.(data, applicationQueue, defaults) === false) return []
  const listed = audienceId === null ? recipients.userIds : undefined
  const parts =
    definition.isPerRecipient === true
      ? groups.map(({ userIds, fields }) => ({ userIds, fields }))
      : [{ userIds: listed?.length === 0 ? undefined : listed, fields: defaults }]
  return parts.flatMap(({ userIds, fields }) =>
    renderEvent(definition, data, applicationQueue).map((event) => ({
      event: { ...event, ...(definition.renderFields?.(fields, applicationQueue) ?? fields) },
      userIds,
    })),
  )
}

/** Fields that contain an id of a user, or a list of them. */
const userFields: ReadonlySet<string> = new Set([
  'user_id',
  'user_ids',
  'sender_id',
  'creator_id',
  'owner_id',
  'bot_owner_id',
  'author_id',
  'members',
  'direct_members',
  'direct_member_ids',
  'subscribers',
])
/** Fields with users as objects that have an `id`. */
const userObjectFields: ReadonlySet<string> = new Set(['display_recipient', 'muted_users'])

/** The ids of users in an event and among those who get it, each once. */
export function namedUserIds(
  event: WireEvent,
  userIds: readonly number[] | undefined,
): readonly number[] {
  const found = new Set<number>(userIds)
  collect(event, '', found)
  return [...found].slice(0, maxNamedUsers)
}

function collect(value: unknown, field: string, into: Set<number>): void {
  if (typeof value === 'number') {
    if (userFields.has(field) && Number.isSafeInteger(value) && value > 0) into.add(value)
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, field, into)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      collect(inner, key === 'id' && userObjectFields.has(field) ? 'user_id' : key, into)
    }
  }
}
