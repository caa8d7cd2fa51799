import { Type, type TSchema } from 'typebox'

import { alertWordKeys } from '../alert-words/index.js'
import { botKeys } from '../bots/index.js'
import { channelFolderKeys } from '../channel-folders/index.js'
import { channelKeys } from '../channels/index.js'
import { customEmojiKeys } from '../custom-emoji/index.js'
import { defaultChannelKeys } from '../default-channels/index.js'
import { draftKeys } from '../drafts/index.js'
import { linkifierKeys } from '../linkifiers/index.js'
import { messageFlagKeys } from '../message-flags/index.js'
import { messageKeys } from '../messages/index.js'
import { mutedUserKeys } from '../muted-users/index.js'
import { navigationViewKeys } from '../navigation-views/index.js'
import { realmKeys } from '../organization-settings/index.js'
import { playgroundKeys } from '../playgrounds/index.js'
import { presenceKeys } from '../presence/index.js'
import { profileFieldKeys } from '../profile-fields/index.js'
import { pushDeviceKeys } from '../push-devices/index.js'
import { realmDomainKeys } from '../realm-domains/index.js'
import { reminderKeys } from '../reminders/index.js'
import { savedSnippetKeys } from '../saved-snippets/index.js'
import { scheduledMessageKeys } from '../scheduled-messages/index.js'
import { subscriptionKeys } from '../subscriptions/index.js'
import { userGroupKeys } from '../user-groups/index.js'
import { userListKeys } from '../user-list/index.js'
import { userSettingKeys } from '../user-settings/index.js'
import { userStatusKeys } from '../user-status/index.js'
import { userTopicKeys } from '../user-topics/index.js'
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
