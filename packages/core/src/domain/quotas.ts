import { badRequest } from '../errors/index.js'
import { keysOf } from '../kernel/objects.js'

interface Quota {
  readonly limit: number
  /** The counted objects, as error messages name them. */
  readonly of: string
}

const quota = (limit: number, of: string): Quota => ({ limit, of })

const definitions = {
  /** Words that a user is alerted to. */
  alertWordsPerUser: quota(1000, 'alert words'),
  /** Drafts that a user keeps on the server. */
  draftsPerUser: quota(1000, 'drafts'),
  /** Saved snippets of a user. */
  savedSnippetsPerUser: quota(1000, 'saved snippets'),
  /** Reminders of a user that were not sent yet. */
  remindersPerUser: quota(1000, 'reminders'),
  /** Scheduled messages of a user that were not sent yet. */
  scheduledMessagesPerUser: quota(1000, 'scheduled messages'),
  /** Users that a user has muted. */
  mutedUsersPerUser: quota(1000, 'muted users'),
  /** Topics that a user mutes, unmutes or follows; sending messages may add more of them. */
  topicPoliciesPerUser: quota(20_000, 'topics with a visibility policy'),
  /** Navigation views that a user has configured. */
  navigationViewsPerUser: quota(500, 'navigation views'),
  /** Bots that a user owns, deactivated ones included. */
  botsPerUser: quota(200, 'bots'),
  /** Push tokens of a user, and as many devices that get encrypted notifications. */
  pushDevicesPerUser: quota(100, 'push devices'),
  /** Uploaded files of a user. */
  attachmentsPerUser: quota(100_000, 'uploaded files'),
  /** Uploaded files of a user that no message links to; they are deleted after five weeks. */
  unlinkedAttachmentsPerUser: quota(1000, 'uploaded files that no message links to'),
  /** Channels that one request makes. */
  newChannelsPerRequest: quota(100, 'new channels in one request'),
  /** Channels times users that one request subscribes. */
  subscriptionsPerRequest: quota(100_000, 'subscriptions in one request'),
  /** Reactions of one user to one message. */
  reactionsPerUserAndMessage: quota(100, 'reactions of a user to one message'),
  /** Reactions to one message. */
  reactionsPerMessage: quota(20_000, 'reactions to one message'),
  /** Submessages of one message, such as the votes of a poll. */
  submessagesPerMessage: quota(5000, 'submessages of one message'),
  /** Submessages of one user to one message. */
  submessagesPerUserAndMessage: quota(1000, 'submessages of a user to one message'),
  /** The content of all submessages of one message, in bytes. */
  submessageBytesPerMessage: quota(1_048_576, 'bytes in the submessages of one message'),
  /** Channels of an organization, archived ones included. */
  channelsPerOrganization: quota(20_000, 'channels'),
  /** Channel folders of an organization, archived ones included. */
  channelFoldersPerOrganization: quota(1000, 'channel folders'),
  /** Channels that new users of an organization are subscribed to. */
  defaultChannelsPerOrganization: quota(500, 'default channels'),
  /** User groups of an organization, deactivated ones and those of the system included. */
  userGroupsPerOrganization: quota(10_000, 'user groups'),
  /** Subgroups of one user group. */
  subgroupsPerUserGroup: quota(1000, 'subgroups of one user group'),
  /** Custom emoji of an organization, deactivated ones included. */
  customEmojiPerOrganization: quota(10_000, 'custom emoji'),
  /** Linkifiers of an organization; each is looked for in every message. */
  linkifiersPerOrganization: quota(200, 'linkifiers'),
  /** Code playgrounds of an organization. */
  playgroundsPerOrganization: quota(500, 'code playgrounds'),
  /** Custom profile fields of an organization. */
  profileFieldsPerOrganization: quota(100, 'custom profile fields'),
  /** Choices of one custom profile field. */
  choicesPerProfileField: quota(1000, 'choices of one custom profile field'),
  /** E-mail domains of an organization. */
  realmDomainsPerOrganization: quota(1000, 'e-mail domains'),
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

  /**
   * @param count the number after the change.
   * @throws {ChatError} `BAD_REQUEST` if it exceeds the quota.
   */
  require(name: QuotaName, count: number): void {
    const { limit: usual, of } = definitions[name]
    const limit = this.#limits[name] ?? usual
    if (count > limit) throw badRequest(`Too many ${of} (limit: ${limit})`)
  }
}
