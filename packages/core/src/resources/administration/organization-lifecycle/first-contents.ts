import {
  organizationPresets,
  type OrganizationPreset,
  type OrganizationPresetName,
} from '../../../domain/organizations/organization-presets.js'
import type {
  OrganizationPermission,
  SystemGroupName,
} from '../../../domain/organizations/organization-settings.js'
import { namedText, type NamedText } from '../../../texts/index.js'

/** The product's name in texts for users. */
export const productName = 'Parley'

/** The values of `org_type` of schools. */
const educationTypes: ReadonlySet<number> = new Set([30, 35])

interface FirstChannel {
  readonly key: FirstChannelKey
  readonly name: NamedText
  readonly description: NamedText
}
export type FirstChannelKey = 'product' | 'sandbox' | 'general'

const product = { product: productName }

/** The channels of a new organization. All are public default channels. */
export const firstChannels: readonly FirstChannel[] = [
  {
    key: 'product',
    name: namedText('PRODUCT_CHANNEL', product),
    description: namedText('PRODUCT_CHANNEL_DESCRIPTION', product),
  },
  {
    key: 'sandbox',
    name: namedText('SANDBOX_CHANNEL'),
    description: namedText('SANDBOX_CHANNEL_DESCRIPTION', product),
  },
  {
    key: 'general',
    name: namedText('GENERAL_CHANNEL'),
    description: namedText('GENERAL_CHANNEL_DESCRIPTION'),
  },
]

/** The channel in which a new organization announces new channels. */
export const announcementChannel: FirstChannelKey = 'general'

/** The messages that the Welcome Bot sends to the channels, in order. */
export const firstMessages: readonly {
  readonly channel: FirstChannelKey
  readonly topic: NamedText
  readonly content: NamedText
}[] = [
  {
    channel: 'product',
    topic: namedText('MOVING_MESSAGES_TOPIC'),
    content: namedText('MOVING_MESSAGES_MESSAGE'),
  },
  {
    channel: 'product',
    topic: namedText('MOVING_TOPICS_TOPIC'),
    content: namedText('MOVING_TOPICS_MESSAGE'),
  },
  {
    channel: 'product',
    topic: namedText('PRODUCT_QUESTIONS_TOPIC', product),
    content: namedText('PRODUCT_QUESTIONS_MESSAGE', product),
  },
  {
    channel: 'sandbox',
    topic: namedText('FIRST_CONVERSATION_TOPIC'),
    content: namedText('FIRST_CONVERSATION_MESSAGE'),
  },
  {
    channel: 'sandbox',
    topic: namedText('EXPERIMENTS_TOPIC'),
    content: namedText('EXPERIMENTS_MESSAGE'),
  },
  {
    channel: 'general',
    topic: namedText('GREETINGS_TOPIC'),
    content: namedText('GREETINGS_MESSAGE'),
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

/** How an organization of a type begins: the preset's settings come before those of the type. */
export function beginningOf(
  preset: OrganizationPresetName,
  organizationType: number,
): OrganizationPreset {
  const ofPreset: OrganizationPreset = organizationPresets[preset]
  if (!educationTypes.has(organizationType)) return ofPreset
  return {
    ...ofPreset,
    permissions: { ...educationPermissions, ...ofPreset.permissions },
    userDefaults: { email_address_visibility: 3, ...ofPreset.userDefaults },
  }
}
