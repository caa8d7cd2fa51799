import type {
  OrganizationPermission,
  SystemGroupName,
} from '../../../domain/organization-settings.js'
import type { UserSettings } from '../../../domain/user-settings.js'

/** The product's name in texts for users. */
export const productName = 'Parley'

/** The values of `org_type` of schools. */
const educationTypes: ReadonlySet<number> = new Set([30, 35])

/** The channels of a new organization. All are public default channels. */
export const firstChannels = [
  {
    name: productName,
    description: `Questions and discussion about using ${productName}.`,
  },
  { name: 'sandbox', description: `Experiment with ${productName} here. :test_tube:` },
  { name: 'general', description: 'For team-wide conversations' },
] as const
export type FirstChannelName = (typeof firstChannels)[number]['name']

/** The channel in which a new organization announces new channels. */
export const announcementChannel: FirstChannelName = 'general'

/** The messages that the Welcome Bot sends to the channels, in order. */
export const firstMessages: readonly {
  readonly channel: FirstChannelName
  readonly topic: string
  readonly content: string
}[] = [
  {
    channel: productName,
    topic: 'moving messages',
    content:
      'This message was written under another topic at first. Whoever may move messages can give a message, or a whole topic, another place.',
  },
  {
    channel: productName,
    topic: 'moving topics',
    content:
      'When a conversation drifts, move what came later to a topic of its own, and both stay easy to follow.',
  },
  {
    channel: productName,
    topic: `welcome to ${productName}!`,
    content: `Here is the place for questions about ${productName}. Ask away!`,
  },
  {
    channel: 'sandbox',
    topic: 'start a conversation',
    content: 'To start a conversation, choose a channel, give it a topic, and write.',
  },
  {
    channel: 'sandbox',
    topic: 'experiments',
    content: 'This is the place to try things out. :test_tube: Nobody minds what happens here.',
  },
  {
    channel: 'general',
    topic: 'greetings',
    content: 'Say hello to everybody! :wave:',
  },
]

/** The permission settings of schools that differ from the defaults. */
const educationPermissions: Partial<Record<OrganizationPermission, SystemGroupName>> = {
  can_create_public_channel_group: 'role:administrators',
  can_create_groups: 'role:moderators',
  can_add_subscribers_group: 'role:moderators',
  can_invite_users_group: 'role:administrators',
  can_move_messages_between_channels_group: 'role:moderators',
}

/** The permissions, and defaults of personal settings, that differ for a type of organization. */
export function differencesOf(organizationType: number): {
  readonly permissions: Partial<Record<OrganizationPermission, SystemGroupName>>
  readonly userDefaults: Partial<UserSettings>
} {
  return educationTypes.has(organizationType)
    ? { permissions: educationPermissions, userDefaults: { email_address_visibility: 3 } }
    : { permissions: {}, userDefaults: {} }
}
