import type { ChannelPermission } from '../../../domain/organizations/organization-settings.js'
import { keysOf } from '../../../kernel/objects.js'
import { parseJson, type Json } from '../../../storage/index.js'

export interface ChannelRow {
  id: number
  organization_id: number
  /** The application's id of the channel, if it belongs to a thing of the application. */
  external_id: string | null
  recipient_id: number
  name: string
  name_key: string
  description: string
  rendered_description: string
  created_at_seconds: number
  creator_id: number | null
  is_private: boolean
  /** Whether new subscribers may read messages that were sent before. */
  is_history_shared: boolean
  is_web_public: boolean
  is_archived: boolean
  is_default: boolean
  is_recently_active: boolean
  /** Null inherits from the organization; -1 keeps messages forever. */
  message_retention_days: number | null
  topics_policy: string
  folder_id: number | null
  first_message_id: number | null
  /** The interned list of the users who receive its messages; null if it must be rebuilt. */
  audience_id: number | null
  /**
   * Grows with each change of the row, except `audience_id`, and of the users who receive its
   * messages.
   */
  version: number
  /** The group id in each permission setting. */
  settings: Json<ChannelSettings>
}

const columns: Record<keyof ChannelRow, true> = {
  id: true,
  organization_id: true,
  external_id: true,
  recipient_id: true,
  name: true,
  name_key: true,
  description: true,
  rendered_description: true,
  created_at_seconds: true,
  creator_id: true,
  is_private: true,
  is_history_shared: true,
  is_web_public: true,
  is_archived: true,
  is_default: true,
  is_recently_active: true,
  message_retention_days: true,
  topics_policy: true,
  folder_id: true,
  first_message_id: true,
  audience_id: true,
  version: true,
  settings: true,
}

/** A channel's row with the subscription of one user; null if there is none. */
export type JoinedRow = ChannelRow & {
  subscription_is_active: boolean | null
  subscription_is_muted: boolean | null
}

export const columnsOfChannels: readonly (keyof ChannelRow)[] = keysOf(columns)

export const joinedColumns: readonly (keyof JoinedRow)[] = [
  ...columnsOfChannels,
  'subscription_is_active',
  'subscription_is_muted',
]

export type ChannelSettings = Record<ChannelPermission, number>

/** The columns of a channel that decide who may see it. */
export type VisibilityOfChannel = Pick<ChannelRow, 'is_private' | 'is_web_public' | 'settings'>

/** A channel and whether one user is subscribed to it. */
export interface ChannelForUser {
  readonly channel: ChannelRow
  readonly isSubscribed: boolean
  /** Whether the user was ever subscribed. */
  readonly hasSubscription: boolean
  readonly isMuted: boolean
}

/** A channel for the sender of a message, with what is known of the message's topic. */
export interface ChannelForSender extends ChannelForUser {
  /** The interned list of active users except guests, or null if it must be rebuilt. */
  readonly memberAudienceId: number | null
  readonly topic: {
    /** The visibility policy that the sender has set for the topic; 0 for none. */
    readonly visibilityPolicy: number
    /** Whether the topic has messages already. */
    readonly hasMessages: boolean
  }
}

/** The group ids of a channel's permission settings. */
export function channelSettings(channel: Pick<ChannelRow, 'settings'>): ChannelSettings {
  return parseJson(channel.settings)
}
