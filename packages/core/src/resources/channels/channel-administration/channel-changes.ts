import { Type, type Static } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import type { ChannelPermission } from '../../../domain/organizations/organization-settings.js'
import { badRequest } from '../../../errors/index.js'
import { fromKeys } from '../../../kernel/objects.js'
import { GroupSettingUpdate } from '../../groups/user-groups/index.js'
import {
  givenSettings,
  parseRetention,
  parseTopicsPolicy,
  RetentionParameter,
  TopicsPolicyParameter,
} from '../channel-creation/index.js'
import {
  channelSettingNames,
  normalizeChannelDescription,
  normalizeChannelName,
  type ChannelRow,
} from '../channels/index.js'

const settingUpdates = fromKeys(channelSettingNames, () => Type.Optional(GroupSettingUpdate))

/** The parameters of a change to a channel. */
export const channelChangeParameters = {
  description: Type.Optional(Bounded.text({ contentKind: 'channel.description' })),
  new_name: Type.Optional(Bounded.name({ contentKind: 'channel.name' })),
  is_private: Type.Optional(Type.Boolean()),
  is_web_public: Type.Optional(Type.Boolean()),
  history_public_to_subscribers: Type.Optional(Type.Boolean()),
  is_default_stream: Type.Optional(Type.Boolean()),
  message_retention_days: RetentionParameter,
  is_archived: Type.Optional(Type.Boolean()),
  folder_id: Type.Optional(Type.Union([Bounded.id(), Type.Null()])),
  topics_policy: TopicsPolicyParameter,
  ...settingUpdates,
}
type ChannelChangeParameters = Static<
  ReturnType<typeof Type.Object<typeof channelChangeParameters>>
>

/** The changes to a channel; undefined properties keep their values. */
export interface ChannelChanges {
  readonly name: string | undefined
  readonly description: string | undefined
  readonly isPrivate: boolean | undefined
  readonly isWebPublic: boolean | undefined
  readonly isHistoryShared: boolean | undefined
  readonly isDefault: boolean | undefined
  /** Null inherits from the organization; -1 keeps messages forever. */
  readonly retentionDays: number | null | undefined
  readonly isArchived: boolean | undefined
  readonly folderId: number | null | undefined
  readonly topicsPolicy: string | undefined
  readonly settings: Partial<Record<ChannelPermission, GroupSettingUpdate>>
}

/** @throws {ChatError} `BAD_REQUEST` or `REQUEST_VARIABLE_INVALID` if a value is invalid. */
export function channelChanges(params: ChannelChangeParameters): ChannelChanges {
  const { description, new_name } = params
  return {
    name: new_name === undefined ? undefined : normalizeChannelName(new_name),
    description: description === undefined ? undefined : normalizeChannelDescription(description),
    isPrivate: params.is_private,
    isWebPublic: params.is_web_public,
    isHistoryShared: params.history_public_to_subscribers,
    isDefault: params.is_default_stream,
    retentionDays: parseRetention(params.message_retention_days),
    isArchived: params.is_archived,
    folderId: params.folder_id,
    topicsPolicy: parseTopicsPolicy(params.topics_policy),
    settings: givenSettings(params),
  }
}

/** Determines to whom a channel is visible, and who may read it. */
export interface Privacy {
  readonly isPrivate: boolean
  readonly isWebPublic: boolean
  readonly isHistoryShared: boolean
}

function privacyOf(channel: ChannelRow): Privacy {
  return {
    isPrivate: channel.is_private,
    isWebPublic: channel.is_web_public,
    isHistoryShared: channel.is_history_shared,
  }
}

/**
 * @returns the privacy after the change, or undefined if it does not change.
 * @throws {ChatError} `BAD_REQUEST` if the combination is impossible.
 */
export function changedPrivacy(channel: ChannelRow, changes: ChannelChanges): Privacy | undefined {
  const { isPrivate, isWebPublic, isHistoryShared } = changes
  const present = privacyOf(channel)
  // If only `isPrivate` is set, the other properties get the defaults of that kind of channel.
  const next: Privacy = {
    isPrivate: isPrivate ?? present.isPrivate,
    isWebPublic: isWebPublic ?? (isPrivate === undefined ? present.isWebPublic : false),
    isHistoryShared:
      isHistoryShared ?? (isPrivate === undefined ? present.isHistoryShared : !isPrivate),
  }
  const isPossible = next.isPrivate ? !next.isWebPublic : next.isHistoryShared
  if (!isPossible) throw badRequest('PARAMETERS_INVALID')
  const isSame =
    next.isPrivate === present.isPrivate &&
    next.isWebPublic === present.isWebPublic &&
    next.isHistoryShared === present.isHistoryShared
  return isSame ? undefined : next
}
