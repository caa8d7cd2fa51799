import {
  organizationPermissions,
  type OrganizationPermission,
} from '../../../domain/organizations/organization-settings.js'
import {
  userSettingDefinitions,
  type UserSettingDefinition,
} from '../../../domain/users/user-settings.js'
import { keysOf } from '../../../kernel/objects.js'
import type { FileCheck } from '../../../resource-definition/file-check.js'
import { requireSettings } from '../../personal/user-settings/index.js'
import { requireSubdomain } from '../organization-lifecycle/index.js'
import { requireJitsiUrl } from '../organization-settings/index.js'
import { GroupValueCheck } from './group-value-check.js'
import type { FileOrganizationSettings } from './organization-file-schema.js'

/** The settings whose value is a channel id, or -1. */
const channelSettings = [
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
  'moderation_request_channel_id',
] as const

type UserSettingValues = Readonly<Record<string, boolean | number | string>>

const userSettings: ReadonlyMap<string, UserSettingDefinition> = new Map(
  Object.entries(userSettingDefinitions),
)

/** The problem reported for a retention time that would keep no messages. */
export const notDays = 'must be -1 or a number of days'

/** Reports invalid settings of the organization and invalid defaults for new users. */
export function checkOrganization(check: FileCheck): void {
  const { subdomain } = check.record<{ subdomain?: string }>('/organization')
  if (subdomain !== undefined) {
    check.requireRule('/organization/subdomain', () => requireSubdomain(subdomain))
  }
  checkOrganizationSettings(check, '/organization/settings')
  const place = '/organization/user_settings_defaults'
  const defaults = check.record<UserSettingValues>(place)
  checkUserSettings(check, place, defaults)
  for (const name of Object.keys(defaults)) {
    if (userSettings.get(name)?.isPersonalOnly !== true) continue
    check.report(`${place}/${name}`, "is everybody's own")
  }
}

function checkOrganizationSettings(check: FileCheck, place: string): void {
  const settings = check.record<FileOrganizationSettings>(place)
  const groups = new GroupValueCheck(check)
  for (const name of keysOf(settings)) {
    const where = `${place}/${name}`
    if (isPermission(name)) {
      const value = settings[name]
      if (value !== undefined) groups.check(where, organizationPermissions[name], value)
    } else if (isChannelSetting(name)) {
      const id = settings[name] ?? -1
      if (id !== -1) checkChannelSetting(check, where, name, id)
    } else if (name === 'message_retention_days') {
      if (settings[name] === 0) check.report(where, notDays)
    } else if (name === 'jitsi_server_url') {
      const url = settings[name] ?? null
      if (url !== null) check.requireRule(where, () => requireJitsiUrl(url))
    }
  }
}

function isPermission(name: string): name is OrganizationPermission {
  return Object.hasOwn(organizationPermissions, name)
}

function isChannelSetting(name: string): name is (typeof channelSettings)[number] {
  return channelSettings.some((setting) => setting === name)
}

function checkChannelSetting(check: FileCheck, place: string, name: string, id: number): void {
  if (!check.requireKnown(place, 'channel', id) || name !== 'moderation_request_channel_id') return
  const channel = check.items('channels').find(({ item }) => item.id === id)?.item
  if (channel !== undefined && !(channel.privacy ?? 'public').startsWith('private')) {
    check.report(place, 'Moderation request channel must be private.')
  }
}

/** Reports personal settings that do not exist or have an invalid value. */
export function checkUserSettings(
  check: FileCheck,
  place: string,
  settings: UserSettingValues,
): void {
  for (const [name, value] of Object.entries(settings)) {
    const problem = userSettingProblem(name, value)
    if (problem !== undefined) check.report(`${place}/${name}`, problem)
    else check.requireRule(`${place}/${name}`, () => requireSettings({ [name]: value }))
  }
}

/** The problem with a personal setting, if there is one. */
export function userSettingProblem(name: string, value: unknown): string | undefined {
  const definition = userSettings.get(name)
  if (definition === undefined) return 'is not a setting'
  const { values } = definition
  const type = values.type === 'integer' ? 'number' : values.type
  if (typeof value !== type) return `must be a ${values.type}`
  const allowed: readonly unknown[] | undefined = 'allowed' in values ? values.allowed : undefined
  if (allowed === undefined || allowed.includes(value)) return undefined
  return `must be one of ${allowed.join(', ')}`
}
