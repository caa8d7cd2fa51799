import { keysOf } from '../../../kernel/objects.js'
import { parseJson } from '../../../storage/index.js'
import { channels, type ChannelRow, type ChannelSettings } from './channels-table.js'

/** A channel's row with the subscription of one user; null if there is none. */
export type JoinedRow = ChannelRow & {
  subscription_is_active: boolean | null
  subscription_is_muted: boolean | null
}

export const columnsOfChannels: readonly (keyof ChannelRow)[] = keysOf(channels.columns)

export const joinedColumns: readonly (keyof JoinedRow)[] = [
  ...columnsOfChannels,
  'subscription_is_active',
  'subscription_is_muted',
]

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

/** A channel for the sender of a message, with data about the message's topic. */
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
