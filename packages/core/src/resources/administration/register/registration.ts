import { Type, type TSchema } from 'typebox'

import { alertWordKeys } from '../../content/alert-words/index.js'
import { botKeys } from '../../accounts/bots/index.js'
import { channelFolderKeys } from '../../channels/channel-folders/index.js'
import { channelKeys } from '../../channels/channels/index.js'
import { customEmojiKeys } from '../../content/emoji/index.js'
import { defaultChannelKeys } from '../../channels/default-channels/index.js'
import { draftKeys } from '../../personal/drafts/index.js'
import { linkifierKeys } from '../../content/linkifiers/index.js'
import { messageFlagKeys } from '../../messages/flags/index.js'
import { messageKeys } from '../../messages/reading/index.js'
import { mutedUserKeys } from '../../personal/muted-users/index.js'
import { navigationViewKeys } from '../../personal/navigation-views/index.js'
import { realmKeys } from '../organization-settings/index.js'
import { playgroundKeys } from '../../content/playgrounds/index.js'
import { presenceKeys } from '../../personal/presence/index.js'
import { profileFieldKeys } from '../../accounts/profile-fields/index.js'
import { pushDeviceKeys } from '../../notifications/push-devices/index.js'
import { realmDomainKeys } from '../../organization/domains/index.js'
import { reminderKeys } from '../../personal/reminders/index.js'
import { savedSnippetKeys } from '../../personal/saved-snippets/index.js'
import { scheduledMessageKeys } from '../../personal/scheduled-messages/index.js'
import { subscriptionKeys } from '../../channels/subscriptions/index.js'
import { userGroupKeys } from '../../groups/user-groups/index.js'
import { userListKeys } from '../../accounts/user-list/index.js'
import { userSettingKeys } from '../../personal/user-settings/index.js'
import { userStatusKeys } from '../../personal/user-status/index.js'
import { userTopicKeys } from '../../channels/topics/index.js'
import { unsupportedKeys } from './unsupported-sections.js'

/** The keys of every response of `POST /register`. */
export const registrationKeys = {
  queue_id: Type.Union([Type.String(), Type.Null()], {
    description: 'Null for spectators, who get no events.',
  }),
  last_event_id: Type.Optional(Type.Integer()),
  zulip_version: Type.String(),
  zulip_merge_base: Type.String(),
  zulip_feature_level: Type.Integer(),
}

/** The keys that all sections add if the client requests them. */
const snapshotKeys: Readonly<Record<string, TSchema>> = Object.fromEntries(
  Object.entries<TSchema>({
    ...alertWordKeys,
    ...botKeys,
    ...channelFolderKeys,
    ...channelKeys,
    ...customEmojiKeys,
    ...defaultChannelKeys,
    ...draftKeys,
    ...linkifierKeys,
    ...messageFlagKeys,
    ...messageKeys,
    ...mutedUserKeys,
    ...navigationViewKeys,
    ...realmKeys,
    ...playgroundKeys,
    ...presenceKeys,
    ...profileFieldKeys,
    ...pushDeviceKeys,
    ...realmDomainKeys,
    ...reminderKeys,
    ...savedSnippetKeys,
    ...scheduledMessageKeys,
    ...subscriptionKeys,
    ...userGroupKeys,
    ...userListKeys,
    ...userSettingKeys,
    ...userStatusKeys,
    ...userTopicKeys,
    ...unsupportedKeys,
  }).map(([name, schema]) => [name, Type.Optional(schema)]),
)

/** The response of `POST /register`; it has no other keys. */
export const Registration = Type.Object({ ...registrationKeys, ...snapshotKeys })
