import { languages } from '../../../domain/languages.js'
import { canonicalTimeZone } from '../../../domain/users/time-zones.js'
import { notificationSounds } from '../../../domain/users/user-settings.js'
import { badRequest } from '../../../errors/index.js'
import type { SettingChanges } from './setting-parameters.js'

const maxBatchingSeconds = 604_800

/**
 * Validates settings beyond their types, and returns them in their canonical form.
 *
 * @throws {ChatError} `BAD_REQUEST` for an unknown language, sound or time zone, or a period out of
 *   range.
 */
export function requireSettings(changes: SettingChanges): SettingChanges {
  const { default_language, notification_sound, timezone } = changes
  if (default_language !== undefined && !languages.has(default_language)) {
    throw badRequest('SETTING_LANGUAGE_INVALID')
  }
  if (notification_sound !== undefined) requireSound(notification_sound)
  const seconds = changes.email_notifications_batching_period_seconds
  if (seconds !== undefined && (seconds < 1 || seconds > maxBatchingSeconds)) {
    throw badRequest('SETTING_MAIL_PERIOD_INVALID', { seconds })
  }
  if (timezone === undefined || timezone === '') return changes
  const canonical = canonicalTimeZone(timezone)
  if (canonical === undefined) {
    throw badRequest('SETTING_TIME_ZONE_INVALID')
  }
  return { ...changes, timezone: canonical }
}

function requireSound(name: string): void {
  const isKnown = name === 'none' || notificationSounds.some((sound) => sound === name)
  if (!isKnown) throw badRequest('SETTING_SOUND_INVALID', { name })
}
