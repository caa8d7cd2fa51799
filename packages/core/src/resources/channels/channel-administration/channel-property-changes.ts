import type { GroupSettingValue } from '../../groups/user-groups/index.js'
import type { ChannelRow } from '../channels/index.js'
import type { Privacy } from './channel-changes.js'

/** A changed property of a channel, as it is sent to clients. */
export interface PropertyChange {
  readonly property: string
  readonly value: GroupSettingValue | boolean | string | null
  readonly more?: {
    readonly rendered_description?: string
    readonly history_public_to_subscribers?: boolean
    readonly is_web_public?: boolean
  }
}

/** Adds the changes of the row and of the properties that privacy consists of. */
export function changePrivacy(
  row: Partial<ChannelRow>,
  propertyChanges: PropertyChange[],
  privacy: Privacy,
): void {
  row.is_private = privacy.isPrivate
  row.is_web_public = privacy.isWebPublic
  row.is_history_shared = privacy.isHistoryShared
  propertyChanges.push({
    property: 'invite_only',
    value: privacy.isPrivate,
    more: {
      history_public_to_subscribers: privacy.isHistoryShared,
      is_web_public: privacy.isWebPublic,
    },
  })
}

/** The data of the event. */
export function updateOf({ id, name }: ChannelRow, { property, value, more }: PropertyChange) {
  return { stream_id: id, name, property, value, ...more }
}
