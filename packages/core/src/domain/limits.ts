/** Limits and periods that clients learn from `POST /register` and the server obeys. */
export const limits = {
  maxMessageLength: 10_000,
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
  passwordMinLength: 6,
  passwordMaxLength: 100,
  passwordMinGuesses: 10_000,
  maxMessagesPerFetch: 5000,
  maxUnreadMessages: 50_000,
  maxStarredMessages: 10_000,
  maxBulkNewSubscriptionMessages: 100,
  maxQueueIdleSeconds: 604_800,
  /** The longest idle timeout of a guest's queue. */
  maxGuestQueueIdleSeconds: 86_400,
  /** Beyond it, the queue of the user that was idle longest is removed. */
  maxQueuesPerUser: 100,
  /** How many terms the narrow of a queue may have; each is kept for as long as the queue. */
  maxQueueNarrowTerms: 20,
  /** Of an operator or operand in the narrow of a queue. */
  maxQueueNarrowTextLength: 320,
  /** How many names a list of event types may have, and how long each may be. */
  maxEventTypes: 200,
  maxEventTypeLength: 100,
  longPollTimeoutSeconds: 90,
  presencePingIntervalSeconds: 60,
  presenceOfflineThresholdSeconds: 200,
  typingStartedExpiryMilliseconds: 45_000,
  typingStoppedWaitMilliseconds: 12_000,
  typingStartedWaitMilliseconds: 30_000,
} as const

/** What a password needs: in development any will do, because an account needs none there. */
export function passwordMinimum({ development }: { readonly development: boolean }): {
  readonly minLength: number
  readonly minGuesses: number
} {
  return development
    ? { minLength: 1, minGuesses: 0 }
    : { minLength: limits.passwordMinLength, minGuesses: limits.passwordMinGuesses }
}

/** The level of the API's history that this server speaks. */
export const featureLevel = 420

/** The version text that clients compare; level 420 precedes the release 11.0. */
export const announcedVersion = '11.0-dev+parley'
