import { languages } from '../../../domain/languages.js'
import type { OrganizationSettings } from '../../../domain/organizations/organization-settings.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { keysOf } from '../../../kernel/objects.js'
import type { ServerFacts } from '../../../kernel/server-facts.js'
import { videoChatProviders } from '../video-calls/index.js'
import {
  maxJitsiUrlLength,
  maxLimit,
  organizationSettingDefinitions,
  type OrganizationSettingName,
} from './organization-setting-definitions.js'
import { giphyRatings } from './server-values.js'

/** New values in their stored form. */
export type NewSettings = Partial<Omit<OrganizationSettings, 'disabled_authentication_methods'>> & {
  name?: string
}

const names = keysOf(organizationSettingDefinitions)

type Reader = (value: unknown, facts: Pick<ServerFacts, 'videoCalls'>) => unknown

/** Converts a decoded parameter into the stored value, where the two differ. */
const readers: Partial<Record<OrganizationSettingName, Reader>> = {
  default_language: (value) => {
    if (!languages.has(String(value)))
      throw badRequest('SETTING_ORGANIZATION_LANGUAGE_INVALID', { language: String(value) })
    return value
  },
  video_chat_provider: (value, facts) => {
    if (Object.values(videoChatProviders(facts)).every(({ id }) => id !== value)) {
      throw badRequest('SETTING_VIDEO_PROVIDER_INVALID', { provider: String(value) })
    }
    return value
  },
  giphy_rating: (value) => {
    if (Object.values(giphyRatings).every(({ id }) => id !== value)) {
      throw badRequest('SETTING_GIPHY_RATING_INVALID', { rating: String(value) })
    }
    return value
  },
  jitsi_server_url: readJitsiUrl,
  message_retention_days: (value) => readLimit('message_retention_days', String(value)) ?? -1,
  ...Object.fromEntries(
    (
      [
        'message_content_edit_limit_seconds',
        'message_content_delete_limit_seconds',
        'move_messages_within_stream_limit_seconds',
        'move_messages_between_streams_limit_seconds',
      ] as const
    ).map((name) => [name, (value: unknown) => readLimit(name, String(value))]),
  ),
}

/**
 * The settings among decoded parameters, in the order of their declaration.
 *
 * @throws {ChatError} `BAD_REQUEST` or `REQUEST_VARIABLE_INVALID` if a setting has an invalid
 *   value.
 */
export function newSettings(
  params: Readonly<Record<string, unknown>>,
  facts: Pick<ServerFacts, 'videoCalls'>,
): NewSettings {
  return Object.fromEntries(
    names
      .filter((name) => params[name] !== undefined)
      .map((name) => [name, (readers[name] ?? asIs)(params[name], facts)]),
  )
}

function asIs(value: unknown): unknown {
  return value
}

/** @returns null for "unlimited". */
function readLimit(var_name: string, text: string): number | null {
  const word = /^"(.*)"$/s.exec(text.trim())?.[1] ?? text.trim()
  if (word === 'unlimited') return null
  const limit = /^\d{1,15}$/.test(word) ? Number(word) : 0
  if (limit > 0 && limit <= maxLimit) return limit
  const bad_value = /^-?\d{1,15}$/.test(word) ? Number(word) : word
  throw new ChatError('REQUEST_VARIABLE_INVALID', { fields: { var_name, bad_value } })
}

/** @returns null for the server's default. */
function readJitsiUrl(value: unknown): string | null {
  if (value === 'default') return null
  if (typeof value !== 'string') throw noJitsiUrl()
  return requireJitsiUrl(value)
}

/** @throws {ChatError} `BAD_REQUEST` if the URL cannot be used for calls. */
export function requireJitsiUrl(url: string): string {
  const isUrl =
    url.length <= maxJitsiUrlLength && /^https?:\/\/[^\s\p{C}]+$/iu.test(url) && URL.canParse(url)
  if (!isUrl) throw noJitsiUrl()
  return url
}

function noJitsiUrl(): ChatError {
  return badRequest('SETTING_JITSI_URL_INVALID')
}
