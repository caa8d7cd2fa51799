import {
  defaultOrganizationSettings,
  organizationPermissions,
  type OrganizationSettings,
} from '../../domain/organization-settings.js'
import { languages } from '../../domain/languages.js'
import { userSettingDefinitions, type UserSettingName } from '../../domain/user-settings.js'
import type { FileCheck } from '../file-sections/index.js'
import { requireSettings } from '../user-settings/index.js'
import { GroupValueCheck } from './group-value-check.js'
import type { FileGroupValue, OrganizationFile } from './organization-file-schema.js'

/** The settings whose value may also be null: no limit, or the server's own choice. */
const nullableSettings: ReadonlySet<string> = new Set([
  'message_content_edit_limit_seconds',
  'message_content_delete_limit_seconds',
  'move_messages_within_stream_limit_seconds',
  'move_messages_between_streams_limit_seconds',
  'jitsi_server_url',
  'push_notifications_enabled_end_timestamp',
])

/** The settings that have few values. */
const possibleValues: Readonly<Record<string, readonly unknown[]>> = {
  topics_policy: ['allow_empty_topic', 'disable_empty_topic'],
  message_edit_history_visibility_policy: ['all', 'moves', 'none'],
  digest_weekday: [0, 1, 2, 3, 4, 5, 6],
  default_language: [...languages.keys()],
}

/** The settings that name a channel, or -1. */
const channelSettings: ReadonlySet<string> = new Set([
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
  'moderation_request_channel_id',
])

/** What is wrong with a time for which messages would not be kept at all. */
export const notDays = 'must be -1 or a number of days'

/** Reports settings of the organization and of its newcomers that cannot be. */
export function checkOrganization(check: FileCheck, organization: object): void {
  const values = new GroupValueCheck(check)
  const { settings, user_settings_defaults } = organization as OrganizationFile['organization']
  for (const [name, value] of Object.entries(settings ?? {})) {
    const place = `/organization/settings/${name}`
    if (Object.hasOwn(organizationPermissions, name)) {
      const definition = organizationPermissions[name as keyof typeof organizationPermissions]
      values.check(place, definition, value as FileGroupValue)
      continue
    }
    const problem = organizationSettingProblem(name, value)
    if (problem !== undefined) check.report(place, problem)
    if (problem === undefined && channelSettings.has(name) && value !== -1) {
      check.requireKnown(place, 'channel', value as number)
    }
  }
  const defaults = user_settings_defaults ?? {}
  checkUserSettings(check, '/organization/user_settings_defaults', defaults)
  for (const name of Object.keys(defaults)) {
    if (userSettingDefinitions[name as UserSettingName]?.isPersonalOnly !== true) continue
    check.report(`/organization/user_settings_defaults/${name}`, "is everybody's own")
  }
}

/** Reports personal settings that do not exist or cannot have their value. */
export function checkUserSettings(
  check: FileCheck,
  place: string,
  settings: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(settings)) {
    const problem = userSettingProblem(name, value)
    if (problem !== undefined) check.report(`${place}/${name}`, problem)
    else {
      check.requireRule(`${place}/${name}`, () =>
        requireSettings({ [name]: value as boolean | number | string }),
      )
    }
  }
}

function organizationSettingProblem(name: string, value: unknown): string | undefined {
  if (!Object.hasOwn(defaultOrganizationSettings, name)) return 'is not a setting'
  if (value === null && nullableSettings.has(name)) return undefined
  if (name === 'message_retention_days') {
    const isDays = Number.isSafeInteger(value) && (value as number) > 0
    return isDays || value === -1 ? undefined : notDays
  }
  const allowed = possibleValues[name]
  if (allowed !== undefined) {
    return allowed.includes(value) ? undefined : `must be one of ${allowed.join(', ')}`
  }
  const initial = defaultOrganizationSettings[name as keyof OrganizationSettings]
  const type =
    initial === null ? (name === 'jitsi_server_url' ? 'string' : 'number') : typeof initial
  return typeof value === type ? undefined : `must be a ${type}`
}

function userSettingProblem(name: string, value: unknown): string | undefined {
  if (!Object.hasOwn(userSettingDefinitions, name)) return 'is not a setting'
  const { values } = userSettingDefinitions[name as UserSettingName]
  const type = values.type === 'integer' ? 'number' : values.type
  if (typeof value !== type) return `must be a ${values.type}`
  const allowed: readonly unknown[] | undefined = 'allowed' in values ? values.allowed : undefined
  if (allowed === undefined || allowed.includes(value)) return undefined
  return `must be one of ${allowed.join(', ')}`
}
