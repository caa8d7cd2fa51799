import type { ChannelPermission } from '../../../domain/organization-settings.js'
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
  /** The group id in each permission setting. */
  settings: Json<ChannelSettings>
}

export type ChannelSettings = Record<ChannelPermission, number>

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
