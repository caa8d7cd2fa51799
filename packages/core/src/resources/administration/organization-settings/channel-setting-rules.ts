import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { ChannelAccess } from '../../channels/channels/index.js'
import type { NewSettings } from './organization-setting-values.js'

const channelSettings = [
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
  'moderation_request_channel_id',
] as const

/** The stored value of a channel setting without a channel. */
const noChannel = -1

/** Checks which channels the organization can use for a setting. */
@perServer()
export class ChannelSettingRules {
  constructor(@inject(ChannelAccess) private readonly channels: ChannelAccess) {}

  /**
   * @returns the settings, with -1 for every negative number.
   * @throws {ChatError} `BAD_REQUEST` if `actor` cannot see such an active channel, or if the
   *   channel must be private and is not.
   */
  async resolve(
    scope: OrganizationScope,
    actor: Actor,
    changes: NewSettings,
  ): Promise<NewSettings> {
    const resolved = { ...changes }
    for (const name of channelSettings) {
      const channelId = changes[name]
      if (channelId === undefined) continue
      resolved[name] = channelId < 0 ? noChannel : channelId
      if (channelId < 0) continue
      const { channel } = await this.channels.requireVisible(scope, actor, { id: channelId })
      if (channel.is_archived) throw badRequest('CHANNEL_ID_INVALID')
      if (name === 'moderation_request_channel_id' && !channel.is_private) {
        throw badRequest('MODERATION_CHANNEL_PRIVATE_REQUIRED')
      }
    }
    return resolved
  }
}
