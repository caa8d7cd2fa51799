import { Type, type Static } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import type { ChannelPermission } from '../../../domain/organizations/organization-settings.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { fromKeys } from '../../../kernel/objects.js'
import { GroupSettingValue } from '../../groups/user-groups/index.js'
import { channelSettingNames } from '../channels/index.js'

const optionalSettings = fromKeys(channelSettingNames, () => Type.Optional(GroupSettingValue))

/** A number of days, `realm_default` or `unlimited`; some clients quote the words. */
export const RetentionParameter = Type.Optional(Bounded.name({ encoding: 'raw' }))

/** Some clients quote the value. */
export const TopicsPolicyParameter = Type.Optional(Bounded.name({ encoding: 'raw' }))

/** The parameters of a channel to be created, except its name. */
export const newChannelParameters = {
  invite_only: Type.Boolean({ default: false }),
  is_web_public: Type.Boolean({ default: false }),
  is_default_stream: Type.Boolean({ default: false }),
  history_public_to_subscribers: Type.Optional(Type.Boolean()),
  message_retention_days: RetentionParameter,
  topics_policy: TopicsPolicyParameter,
  ...optionalSettings,
}
type NewChannelParameters = Static<ReturnType<typeof Type.Object<typeof newChannelParameters>>>

/** The options of a new channel. */
export interface NewChannelOptions {
  readonly isPrivate: boolean
  readonly isWebPublic: boolean
  readonly isDefault: boolean
  /** @default the opposite of `isPrivate` */
  readonly isHistoryShared: boolean | undefined
  /** `undefined` inherits from the organization, as `null` does. */
  readonly retentionDays: number | null | undefined
  readonly topicsPolicy: string | undefined
  readonly folderId: number | null | undefined
  /** The permission settings that do not get their default values. */
  readonly settings: Partial<Record<ChannelPermission, GroupSettingValue>>
}

/** The options of a public channel for which nothing else is requested. */
export const usualChannelOptions: NewChannelOptions = {
  isPrivate: false,
  isWebPublic: false,
  isDefault: false,
  isHistoryShared: undefined,
  retentionDays: undefined,
  topicsPolicy: undefined,
  folderId: undefined,
  settings: {},
}

/** @throws {ChatError} `REQUEST_VARIABLE_INVALID` or `BAD_REQUEST` if a value is invalid. */
export function newChannelOptions(
  params: NewChannelParameters,
  folderId: number | null | undefined,
): NewChannelOptions {
  return {
    isPrivate: params.invite_only,
    isWebPublic: params.is_web_public,
    isDefault: params.is_default_stream,
    isHistoryShared: params.history_public_to_subscribers,
    retentionDays: parseRetention(params.message_retention_days),
    topicsPolicy: parseTopicsPolicy(params.topics_policy),
    folderId,
    settings: givenSettings(params),
  }
}

/** The permission settings among the parameters of a request. */
export function givenSettings<Value>(
  params: Readonly<Partial<Record<ChannelPermission, Value>>>,
): Partial<Record<ChannelPermission, Value>> {
  const given: Partial<Record<ChannelPermission, Value>> = {}
  for (const name of channelSettingNames) {
    const value = params[name]
    if (value !== undefined) given[name] = value
  }
  return given
}

/**
 * @returns days, -1 for unlimited, null to inherit from the organization, undefined if `text` is.
 * @throws {ChatError} `REQUEST_VARIABLE_INVALID` if it is anything else.
 */
export function parseRetention(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined
  const word = unquoted(text)
  if (word === 'realm_default') return null
  if (word === 'unlimited') return -1
  const days = /^\d{1,9}$/.test(word) ? Number(word) : 0
  if (days > 0) return days
  throw new ChatError('REQUEST_VARIABLE_INVALID', {
    fields: {
      var_name: 'message_retention_days',
      bad_value: /^-?\d{1,9}$/.test(word) ? Number(word) : word,
    },
  })
}

const topicsPolicies = new Set([
  'inherit',
  'allow_empty_topic',
  'disable_empty_topic',
  'empty_topic_only',
])

/** @throws {ChatError} `BAD_REQUEST` if there is no such policy. */
export function parseTopicsPolicy(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const policy = unquoted(text)
  if (!topicsPolicies.has(policy)) throw badRequest('TOPICS_POLICY_INVALID')
  return policy
}

function unquoted(text: string): string {
  return /^"[^"\\]*"$/.test(text) ? text.slice(1, -1) : text
}
