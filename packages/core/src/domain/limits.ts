/** Limits and periods that the server enforces and sends to clients with `POST /register`. */
export const limits = {
  maxMessageLength: 10_000,
  /** Maximum length of the JSON of a message's widget, in characters. */
  maxWidgetContentLength: 10_000,
  maxTopicLength: 60,
  maxChannelNameLength: 60,
  maxChannelDescriptionLength: 1024,
  maxChannelFolderNameLength: 60,
  maxChannelFolderDescriptionLength: 1024,
  maxReminderNoteLength: 1000,
  maxAvatarFileMebibytes: 5,
  maxIconFileMebibytes: 5,
  maxLogoFileMebibytes: 5,
  maxFullNameLength: 100,
  maxEmailLength: 254,
  maxGroupNameLength: 100,
  maxGroupDescriptionLength: 1024,
  maxOrganizationNameLength: 40,
  maxClientNameLength: 30,
  passwordMaxLength: 100,
  maxMessagesPerFetch: 5000,
  /**
   * Maximum number of channels that one request subscribes to, unsubscribes from or has settings
   * for.
   */
  maxChannelsPerRequest: 1000,
  maxUnreadMessages: 50_000,
  maxStarredMessages: 10_000,
  maxBulkNewSubscriptionMessages: 100,
  maxQueueIdleSeconds: 604_800,
  /** The longest idle timeout of a guest's queue. */
  maxGuestQueueIdleSeconds: 86_400,
  /** Above this number, the user's queue that was idle longest is removed. */
  maxQueuesPerUser: 100,
  /** Maximum number of terms in the narrow of a queue, which are kept in memory with the queue. */
  maxQueueNarrowTerms: 20,
  /** Maximum length of an operator or operand in the narrow of a queue. */
  maxQueueNarrowTextLength: 320,
  /** Maximum number of names in a list of event types, and maximum length of each. */
  maxEventTypes: 200,
  maxEventTypeLength: 100,
  longPollTimeoutSeconds: 90,
  presencePingIntervalSeconds: 60,
  presenceOfflineThresholdSeconds: 200,
  typingStartedExpiryMilliseconds: 45_000,
  typingStoppedWaitMilliseconds: 12_000,
  typingStartedWaitMilliseconds: 30_000,
} as const

/**
 * The default password policy: the length is NIST's minimum (SP 800-63B-4, for accounts with a
 * second factor), the number of guesses is the one that zxcvbn rates as safe against offline
 * attacks on slow hashes.
 */
export const defaultPasswordPolicy = { minLength: 8, minGuesses: 100_000_000 } as const

/** The feature level of the API that this server implements. */
export const featureLevel = 420

/** The version that clients compare; level 420 precedes the release 11.0. */
export const announcedVersion = '11.0-dev+parley'
