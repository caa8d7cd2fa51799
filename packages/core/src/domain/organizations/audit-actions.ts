import { fromKeys, keysOf } from '../../kernel/objects.js'

/** The types of objects that rows of the audit trail are about. */
export const auditObjectTypes = [
  'organization',
  'user',
  'channel',
  'channel_folder',
  'user_group',
  'domain',
  'linkifier',
  'playground',
  'emoji',
  'profile_field',
  'invitation',
] as const
export type AuditObjectType = (typeof auditObjectTypes)[number]

/** The actor of a change: a user, the application's own code, or the chat by itself. */
export const auditActorTypes = ['user', 'application', 'system'] as const
export type AuditActorType = (typeof auditActorTypes)[number]

interface AuditActionDefinition {
  readonly object: AuditObjectType
  /** Describes the action and the content of `changes`, for the documentation. */
  readonly summary: string
}

function about<const Names extends string>(
  object: AuditObjectType,
  summaries: Readonly<Record<Names, string>>,
): Readonly<Record<Names, AuditActionDefinition>> {
  return fromKeys(keysOf(summaries), (name) => ({ object, summary: summaries[name] }))
}

/**
 * Every action of the audit trail. The names are part of the API: they are never renamed, and never
 * used for anything else.
 */
export const auditActions = {
  ...about('organization', {
    'organization.created': 'The organization was created. `changes`: `name`, `subdomain`.',
    'organization.loaded': 'It was created from an organization file. `changes`: as above.',
    'organization.updated':
      'Its name, subdomain, settings, permissions or sign-in methods changed.',
    'organization.image_changed': 'Its icon or logo was replaced or removed; `changes` names it.',
    'organization.user_defaults_changed': 'The default settings of new users changed.',
    'organization.deactivated': 'It was deactivated.',
    'organization.reactivated': 'It was reactivated.',
    'organization.exported': 'An export of the whole organization by the application began.',
    'organization.export_requested':
      'A data export was requested. `changes`: `export_id`, `export_type`.',
    'organization.export_deleted': 'The archive of a data export was deleted. `changes`: as above.',
  }),
  ...about('user', {
    'user.created': 'An account was created, also by a first login. `changes`: `role`.',
    'user.role_changed': 'The role of a user or bot changed. `changes`: `role`.',
    'user.renamed': 'Another user, or the application, changed the name.',
    'user.email_changed': 'Another user, or the application, changed the email address.',
    'user.profile_changed': 'Another user, or the application, changed values of profile fields.',
    'user.deactivated': 'A user or bot was deactivated.',
    'user.reactivated': 'A user or bot was reactivated.',
    'user.api_key_replaced': 'The API key of a user or bot was replaced.',
    'user.signed_in': 'An administrator or owner got the API key by signing in.',
    'user.sessions_ended': "The application ended the user's sessions.",
    'user.exported': 'An export of all data about the user began.',
    'user.erased': 'The erasure of the user began.',
    'bot.created': 'A bot was created. `changes`: `role`, `bot_type`, `bot_owner_id`.',
    'bot.owner_changed': 'A bot got another owner. `changes`: `bot_owner_id`.',
    'bot.updated': 'The address, the interface or the default channels of a bot changed.',
  }),
  ...about('channel', {
    'channel.created': 'A channel was created. `changes`: `name` and its privacy.',
    'channel.updated': 'Its name, description, privacy, permissions or other settings changed.',
    'channel.archived': 'It was archived.',
    'channel.unarchived': 'It was restored.',
    'channel.subscriber_added': 'A user was subscribed by another user or by the application.',
    'channel.subscriber_removed': 'A user was unsubscribed by another user or by the application.',
  }),
  ...about('channel_folder', {
    'channel_folder.created': 'A folder of channels was created. `changes`: `name`.',
    'channel_folder.updated': 'Its name or description changed, or it was archived or restored.',
    'channel_folder.reordered': 'The folders got another order; without an object id.',
  }),
  ...about('user_group', {
    'user_group.created': 'A group was created. `changes`: `name`.',
    'user_group.updated': 'Its name, description or permissions changed.',
    'user_group.deactivated': 'It was deactivated.',
    'user_group.reactivated': 'It was reactivated.',
    'user_group.member_added': 'A user was added by another user or by the application.',
    'user_group.member_removed': 'A user was removed by another user or by the application.',
    'user_group.subgroup_added': 'A group was added to it. `changes`: `subgroup_id`.',
    'user_group.subgroup_removed': 'A group was removed from it. `changes`: `subgroup_id`.',
  }),
  ...about('domain', {
    'domain.added': 'A domain of email addresses was allowed. `changes`: its values.',
    'domain.updated': 'It was changed whether its subdomains are allowed.',
    'domain.removed': 'A domain was removed. `changes`: its values.',
  }),
  ...about('linkifier', {
    'linkifier.added': 'A linkifier was added. `changes`: its values.',
    'linkifier.updated': 'Its pattern or template changed.',
    'linkifier.removed': 'A linkifier was removed. `changes`: its values.',
    'linkifier.reordered': 'The linkifiers got another order; without an object id.',
  }),
  ...about('playground', {
    'playground.added': 'A code playground was added. `changes`: its values.',
    'playground.removed': 'A code playground was removed. `changes`: its values.',
  }),
  ...about('emoji', {
    'emoji.added': 'A custom emoji was added. `changes`: `name`.',
    'emoji.deactivated': 'A custom emoji was deactivated. `changes`: `name`.',
  }),
  ...about('profile_field', {
    'profile_field.created': 'A profile field was created. `changes`: its values.',
    'profile_field.updated': 'Its name, hint, choices or flags changed.',
    'profile_field.deleted': "A profile field and all users' values were deleted.",
    'profile_field.reordered': 'The profile fields got another order; without an object id.',
  }),
  ...about('invitation', {
    'invitation.created':
      'People were invited; without an object id. `changes`: `role`, `is_reusable`, `count`.',
    'invitation.resent': 'The mail of an invitation was sent again.',
    'invitation.revoked': 'An invitation was revoked.',
  }),
}
export type AuditAction = keyof typeof auditActions

/** The changed properties, with their values before and after; `old` is absent if it had no value, `new` if it has none now. */
export type AuditChanges = Readonly<
  Record<string, { readonly old?: unknown; readonly new?: unknown }>
>

/**
 * One change, for the audit trail. It must contain no secret, no text of a message, and no name or
 * address of a person: users are named by their ids alone.
 */
export interface AuditEntry {
  readonly action: AuditAction
  /** The id of the object that the action is about; absent for actions such as a new order. */
  readonly objectId?: number
  /** The user concerned, if the object is something else; for an object `user` it is the object. */
  readonly userId?: number
  readonly changes?: AuditChanges
  /** Whether the chat does it by itself, and not for a caller. */
  readonly isBySystem?: boolean
}

/** Those of `names` whose values differ. Values are compared as JSON. */
export function changesBetween<Values extends object>(
  before: Values,
  after: Partial<Values>,
  names: readonly (keyof Values & string)[] = keysOf(after),
): AuditChanges {
  return Object.fromEntries(
    names
      .filter((name) => name in after && !isSame(before[name], after[name]))
      .map((name) => [name, { old: before[name], new: after[name] }]),
  )
}

/** The values of something that has been created. */
export function createdValues(values: Readonly<Record<string, unknown>>): AuditChanges {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { new: value }]))
}

/** The values of something that has been deleted. */
export function deletedValues(values: Readonly<Record<string, unknown>>): AuditChanges {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { old: value }]))
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
