import { inject } from 'tsyringe'

import { changesBetween } from '../../../domain/organizations/audit-actions.js'
import { fromKeys } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import { parseJson, toJson, type Transaction } from '../../../storage/index.js'
import {
  OrganizationRepository,
  realmSettingsUpdated,
} from '../../organization/organizations/index.js'
import { UserService } from '../../people/users/index.js'

/** The organization's settings that refer to a channel. */
const roles = [
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
  'moderation_request_channel_id',
] as const

/** Removes references to channels from the organization's settings. */
@perServer()
export class ChannelRoles {
  constructor(
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(UserService) private readonly users: UserService,
  ) {}

  /** Resets the settings that refer to the channel, and sends the change to all active users. */
  async release(tx: Transaction, channelId: number): Promise<void> {
    const { settings } = await this.organizations.lockCurrent(tx)
    const present = parseJson(settings)
    const released = roles.filter((role) => present[role] === channelId)
    if (released.length === 0) return
    const data = fromKeys(released, () => -1)
    await this.organizations.update(tx, { settings: toJson({ ...present, ...data }) })
    tx.audit({ action: 'organization.updated', changes: changesBetween(present, data) })
    tx.emit(realmSettingsUpdated({ audienceId: await this.users.activeAudience(tx) }, { data }))
  }
}
