import { inject } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import { badRequest } from '../../errors/index.js'
import { perServer } from '../../kernel/per-server.js'
import type { OrganizationScope } from '../../storage/index.js'
import { ChannelAccess } from '../channels/index.js'
import type { NewSettings } from './organization-setting-values.js'

const channelSettings = [
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
  'moderation_request_channel_id',
] as const

/** The value of a setting that names no channel. */
const noChannel = -1

/** Decides which channels the organization can use for something. */
@perServer()
export class ChannelSettingRules {
  constructor(@inject(ChannelAccess) private readonly channels: ChannelAccess) {}

  /**
   * @returns the settings with one number for "no channel".
   * @throws {ChatError} `BAD_REQUEST` if `actor` sees no such active channel, or it has to be private.
   */
  async resolve(scope: OrganizationScope, actor: Actor, wanted: NewSettings): Promise<NewSettings> {
    const resolved = { ...wanted }
    for (const name of channelSettings) {
      const channelId = wanted[name]
      if (channelId === undefined) continue
      resolved[name] = channelId < 0 ? noChannel : channelId
      if (channelId < 0) continue
      const { channel } = await this.channels.requireVisible(scope, actor, { id: channelId })
      if (channel.is_archived) throw badRequest('Invalid channel ID')
      if (name === 'moderation_request_channel_id' && !channel.is_private) {
        throw badRequest('Moderation request channel must be private.')
      }
    }
    return resolved
  }
}
