import { badRequest, namedText, type TextName } from '../errors/index.js'
import { keysOf } from '../kernel/objects.js'

/** @param of the text that names the counted objects in errors. */
const quota = <Name extends TextName>(limit: number, of: Name) => ({
  limit,
  of,
})

const definitions = {
  /** Words that a user is alerted to. */
  alertWordsPerUser: quota(1000, 'ALERT_WORDS_PER_USER'),
  /** Drafts that a user keeps on the server. */
  draftsPerUser: quota(1000, 'DRAFTS_PER_USER'),
  /** Saved snippets of a user. */
  savedSnippetsPerUser: quota(1000, 'SAVED_SNIPPETS_PER_USER'),
  /** Reminders of a user that were not sent yet. */
  remindersPerUser: quota(1000, 'REMINDERS_PER_USER'),
  /** Scheduled messages of a user that were not sent yet. */
  scheduledMessagesPerUser: quota(1000, 'SCHEDULED_MESSAGES_PER_USER'),
  /** Texts in each of these lists of a user: drafts, saved snippets, scheduled messages; in bytes. */
  textBytesPerList: quota(4_194_304, 'TEXT_BYTES_PER_LIST'),
  /** Users that a user has muted. */
  mutedUsersPerUser: quota(1000, 'MUTED_USERS_PER_USER'),
  /** Topics that a user mutes, unmutes or follows; sending messages may add more of them. */
  topicPoliciesPerUser: quota(20_000, 'TOPIC_POLICIES_PER_USER'),
  /** Navigation views that a user has configured. */
  navigationViewsPerUser: quota(500, 'NAVIGATION_VIEWS_PER_USER'),
  /** Bots that a user owns, deactivated ones included. */
  botsPerUser: quota(200, 'BOTS_PER_USER'),
  /** Active bots that a user owns. */
  activeBotsPerUser: quota(20, 'ACTIVE_BOTS_PER_USER'),
  /** Push tokens of a user, and as many devices that get encrypted notifications. */
  pushDevicesPerUser: quota(100, 'PUSH_DEVICES_PER_USER'),
  /** Uploaded files of a user. */
  attachmentsPerUser: quota(100_000, 'ATTACHMENTS_PER_USER'),
  /** Uploaded files of a user that no message links to; they are deleted after five weeks. */
  unlinkedAttachmentsPerUser: quota(1000, 'UNLINKED_ATTACHMENTS_PER_USER'),
  /** Channels that one request makes. */
  newChannelsPerRequest: quota(100, 'NEW_CHANNELS_PER_REQUEST'),
  /** Channels times users that one request subscribes. */
  subscriptionsPerRequest: quota(100_000, 'SUBSCRIPTIONS_PER_REQUEST'),
  /** Users in one direct conversation, the sender included. */
  usersPerDirectConversation: quota(100, 'USERS_PER_DIRECT_CONVERSATION'),
  /** Reactions of one user to one message. */
  reactionsPerUserAndMessage: quota(100, 'REACTIONS_PER_USER_AND_MESSAGE'),
  /** Reactions to one message. */
  reactionsPerMessage: quota(20_000, 'REACTIONS_PER_MESSAGE'),
  /** Submessages of one message, such as the votes of a poll. */
  submessagesPerMessage: quota(5000, 'SUBMESSAGES_PER_MESSAGE'),
  /** Submessages of one user to one message. */
  submessagesPerUserAndMessage: quota(1000, 'SUBMESSAGES_PER_USER_AND_MESSAGE'),
  /** The content and types of all submessages of one message, in bytes. */
  submessageBytesPerMessage: quota(65_536, 'SUBMESSAGE_BYTES_PER_MESSAGE'),
  /** Channels of an organization, archived ones included. */
  channelsPerOrganization: quota(20_000, 'CHANNELS_PER_ORGANIZATION'),
  /** Descriptions, and their HTML, in each of these lists: channels, folders, groups; in bytes. */
  descriptionBytesPerList: quota(8_388_608, 'DESCRIPTION_BYTES_PER_LIST'),
  /** Texts of a user's profile, and their HTML, in bytes. */
  profileBytesPerUser: quota(65_536, 'PROFILE_BYTES_PER_USER'),
  /** Channel folders of an organization, archived ones included. */
  channelFoldersPerOrganization: quota(1000, 'CHANNEL_FOLDERS_PER_ORGANIZATION'),
  /** Channels that new users of an organization are subscribed to. */
  defaultChannelsPerOrganization: quota(500, 'DEFAULT_CHANNELS_PER_ORGANIZATION'),
  /** User groups of an organization, deactivated ones and those of the system included. */
  userGroupsPerOrganization: quota(10_000, 'USER_GROUPS_PER_ORGANIZATION'),
  /** Subgroups of one user group. */
  subgroupsPerUserGroup: quota(1000, 'SUBGROUPS_PER_USER_GROUP'),
  /** Custom emoji of an organization, deactivated ones included. */
  customEmojiPerOrganization: quota(10_000, 'CUSTOM_EMOJI_PER_ORGANIZATION'),
  /** Linkifiers of an organization; each is looked for in every message. */
  linkifiersPerOrganization: quota(200, 'LINKIFIERS_PER_ORGANIZATION'),
  /** Instructions of the compiled patterns of all linkifiers of an organization; a simple one has 20. */
  linkifierInstructionsPerOrganization: quota(5000, 'LINKIFIER_INSTRUCTIONS_PER_ORGANIZATION'),
  /** Code playgrounds of an organization. */
  playgroundsPerOrganization: quota(500, 'PLAYGROUNDS_PER_ORGANIZATION'),
  /** Custom profile fields of an organization. */
  profileFieldsPerOrganization: quota(100, 'PROFILE_FIELDS_PER_ORGANIZATION'),
  /** Choices of one custom profile field. */
  choicesPerProfileField: quota(1000, 'CHOICES_PER_PROFILE_FIELD'),
  /** E-mail domains of an organization. */
  realmDomainsPerOrganization: quota(1000, 'REALM_DOMAINS_PER_ORGANIZATION'),
  /** Invitations of an organization that are neither used nor revoked nor expired. */
  invitationsPerOrganization: quota(5000, 'INVITATIONS_PER_ORGANIZATION'),
  /** Mails with invitations that an organization sends within 24 hours. */
  invitationMailsPerDay: quota(100, 'INVITATION_MAILS_PER_DAY'),
  /** Addresses that one request invites. */
  inviteesPerRequest: quota(500, 'INVITEES_PER_REQUEST'),
  /** Addresses that wait for their confirmation, for each reusable invitation link. */
  signUpsPerInvitationLink: quota(1000, 'SIGN_UPS_PER_INVITATION_LINK'),
} as const

/** The name of a quota. */
export type QuotaName = keyof typeof definitions

export const quotaNames: readonly QuotaName[] = keysOf(definitions)

/**
 * The maximum numbers of objects that a user, a message, a request or an organization may have.
 *
 * Count in the transaction that writes: the rows counted there cannot change before it commits, so
 * concurrent requests cannot exceed a quota together.
 */
export class Quotas {
  readonly #limits: Readonly<Partial<Record<QuotaName, number>>>

  /** @param limits those that differ from the defaults. */
  constructor(limits: Readonly<Partial<Record<QuotaName, number>>>) {
    this.#limits = limits
  }

  /** The limit, for callers that have their own error. */
  limitOf(name: QuotaName): number {
    return this.#limits[name] ?? definitions[name].limit
  }

  /**
   * @param count the number after the change.
   * @throws {ChatError} `BAD_REQUEST` if it exceeds the quota.
   */
  require(name: QuotaName, count: number): void {
    const limit = this.limitOf(name)
    if (count > limit) {
      throw badRequest('QUOTA_EXCEEDED', { objects: namedText(definitions[name].of), limit })
    }
  }
}
