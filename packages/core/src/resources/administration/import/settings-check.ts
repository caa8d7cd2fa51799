import { organizationPermissions } from '../../../domain/organization-settings.js'
import { userSettingDefinitions, type UserSettingName } from '../../../domain/user-settings.js'
import type { FileCheck } from '../../../resource-definition/file-check.js'
import { requireSubdomain } from '../organization-lifecycle/index.js'
import { requireJitsiUrl } from '../organization-settings/index.js'
import { requireSettings } from '../../personal/user-settings/index.js'
import { GroupValueCheck } from './group-value-check.js'
import type { FileChannel, FileGroupValue } from './organization-file-items.js'

/** The settings whose value is a channel id, or -1. */
const channelSettings: ReadonlySet<string> = new Set([
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
  'moderation_request_channel_id',
])

/** The problem reported for a retention time that would keep no messages. */
export const notDays = 'must be -1 or a number of days'

/** Reports invalid settings of the organization and invalid defaults for new users. */
export function checkOrganization(check: FileCheck): void {
  const own = check.record('/organization')
  const subdomain = own.find(({ name }) => name === 'subdomain')
  if (subdomain !== undefined) {
    check.requireRule(subdomain.place, () => requireSubdomain(subdomain.value as string))
  }
  const settings = check.record('/organization/settings')
  const groups = new GroupValueCheck(check)
  for (const { place, name, value } of settings) {
    if (Object.hasOwn(organizationPermissions, name)) {
      const definition = organizationPermissions[name as keyof typeof organizationPermissions]
      groups.check(place, definition, value as FileGroupValue)
    } else if (channelSettings.has(name) && value !== -1) {
      checkChannelSetting(check, place, name, value as number)
    } else if (name === 'message_retention_days' && value === 0) {
      check.report(place, notDays)
    } else if (name === 'jitsi_server_url' && value !== null) {
      check.requireRule(place, () => requireJitsiUrl(value as string))
    }
  }
  const place = '/organization/user_settings_defaults'
  const defaults = check.record(place).map(({ name, value }) => [name, value] as const)
  checkUserSettings(check, place, Object.fromEntries(defaults))
  for (const [name] of defaults) {
    if (userSettingDefinitions[name as UserSettingName]?.isPersonalOnly !== true) continue
    check.report(`${place}/${name}`, "is everybody's own")
  }
}

function checkChannelSetting(check: FileCheck, place: string, name: string, id: number): void {
  if (!check.requireKnown(place, 'channel', id) || name !== 'moderation_request_channel_id') return
  const channel = check.items<FileChannel>('channels').find(({ item }) => item.id === id)?.item
  if (channel !== undefined && !(channel.privacy ?? 'public').startsWith('private')) {
    check.report(place, 'Moderation request channel must be private.')
  }
}

/** Reports personal settings that do not exist or have an invalid value. */
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

function userSettingProblem(name: string, value: unknown): string | undefined {
  if (!Object.hasOwn(userSettingDefinitions, name)) return 'is not a setting'
  const { values } = userSettingDefinitions[name as UserSettingName]
  const type = values.type === 'integer' ? 'number' : values.type
  if (typeof value !== type) return `must be a ${values.type}`
  const allowed: readonly unknown[] | undefined = 'allowed' in values ? values.allowed : undefined
  if (allowed === undefined || allowed.includes(value)) return undefined
  return `must be one of ${allowed.join(', ')}`
}
