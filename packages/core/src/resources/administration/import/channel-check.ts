import { channelPermissions } from '../../../domain/organizations/organization-settings.js'
import { foldCase } from '../../../domain/texts/folding.js'
import { entriesOf } from '../../../kernel/objects.js'
import type { FileCheck } from '../../../resource-definition/file-check.js'
import { normalizeChannelName } from '../../channels/channels/index.js'
import { GroupValueCheck } from './group-value-check.js'
import { notDays } from './settings-check.js'

/** Reports problems with the channels of a file. */
export async function checkChannels(check: FileCheck): Promise<void> {
  const values = new GroupValueCheck(check)
  const [id, name] = [check.once(), check.once()]
  for await (const { place, item } of check.each('channels')) {
    id(`${place}/id`, item.id)
    const normalized = check.requireRule(`${place}/name`, () => normalizeChannelName(item.name))
    if (normalized !== undefined) name(`${place}/name`, foldCase(normalized), normalized)
    check.requireAllKnown(`${place}/subscribers`, 'user', item.subscribers)
    if (item.creator_id !== undefined) {
      check.requireKnown(`${place}/creator_id`, 'user', item.creator_id)
    }
    if (item.folder_id !== undefined) {
      check.requireKnown(`${place}/folder_id`, 'folder', item.folder_id)
    }
    if (item.is_default === true && (item.privacy ?? 'public').startsWith('private')) {
      check.report(`${place}/is_default`, 'a default channel cannot be private')
    }
    if (item.message_retention_days === 0) {
      check.report(`${place}/message_retention_days`, notDays)
    }
    for (const [setting, definition] of entriesOf(channelPermissions)) {
      const value = item.settings?.[setting]
      if (value !== undefined) values.check(`${place}/settings/${setting}`, definition, value)
    }
  }
}

/** Reports problems with the personal channel settings of a file. */
export async function checkSubscriptions(check: FileCheck): Promise<void> {
  const once = check.once()
  for await (const { place, item } of check.each('subscriptions')) {
    check.requireKnown(`${place}/user_id`, 'user', item.user_id)
    check.requireKnown(`${place}/channel_id`, 'channel', item.channel_id)
    once(`${place}/channel_id`, `${item.user_id} ${item.channel_id}`, item.channel_id)
  }
}
