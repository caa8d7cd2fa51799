import type { InjectionToken } from 'tsyringe'
import type { EventDefinition } from '../events/event.js'
import type { Operation } from '../http/operation.js'
import {
  addAlertWords,
  alertWordsChanged,
  AlertWordSnapshot,
  getAlertWords,
  removeAlertWords,
} from './content/alert-words/index.js'
import { getApiDescription } from './administration/api-description/index.js'
import { attachmentEvents, attachmentOperations } from './files/attachments/index.js'
import {
  createSocketTicket,
  devFetchApiKey,
  devListUsers,
  fetchApiKey,
  regenerateOwnApiKey,
} from './access/authentication/index.js'
import {
  getStreamEmailAddress,
  archiveStream,
  updateStream,
} from './channels/channel-administration/index.js'
import {
  channelFolderEvents,
  channelFolderOperations,
  ChannelFolderSection,
} from './channels/channel-folders/index.js'
import {
  channelsCreated,
  channelsDeleted,
  ChannelSnapshot,
  channelUpdated,
  getStreamById,
  getStreamId,
  getStreams,
  getSubscribers,
} from './channels/channels/index.js'
import {
  customEmojiChanged,
  CustomEmojiSnapshot,
  deactivateCustomEmoji,
  getCustomEmoji,
  getEmojiData,
  getEmojiImage,
  uploadCustomEmoji,
} from './content/emoji/index.js'
import {
  addDefaultStream,
  defaultChannelsChanged,
  DefaultChannelSnapshot,
  removeDefaultStream,
} from './channels/default-channels/index.js'
import { draftEvents, draftOperations, DraftSection } from './personal/drafts/index.js'
import { deleteQueue, getEvents } from './realtime/event-queues/index.js'
import {
  addLinkifier,
  getLinkifiers,
  linkifiersChanged,
  LinkifierSnapshot,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
} from './content/linkifiers/index.js'
import {
  deleteMessage,
  deleteTopic,
  getMessageHistory,
  getReadReceipts,
  messagesDeleted,
  messagesUpdated,
  updateMessage,
} from './messages/editing/index.js'
import { reportMessage } from './messages/reports/index.js'
import { renderMessage } from './content/rendering/index.js'
import {
  markAllAsRead,
  markStreamAsRead,
  markTopicAsRead,
  messageFlagsAdded,
  messageFlagsRemoved,
  MessageFlagSnapshot,
  updateMessageFlags,
  updateMessageFlagsForNarrow,
} from './messages/flags/index.js'
import {
  checkMessagesMatchNarrow,
  getMessage,
  getMessages,
  MessageSnapshot,
} from './messages/reading/index.js'
import { messageSent, sendMessage } from './messages/sending/index.js'
import {
  mutedUsersChanged,
  MutedUserSnapshot,
  muteUser,
  unmuteUser,
} from './personal/muted-users/index.js'
import {
  navigationViewEvents,
  navigationViewOperations,
  NavigationViewSection,
} from './personal/navigation-views/index.js'
import {
  realmDeactivated,
  realmSettingsUpdated,
  realmUpdated,
} from './organization/organizations/index.js'
import { RealmSnapshot, updateRealm } from './administration/organization-settings/index.js'
import { testWelcomeBotCustomMessage } from './messages/notification-messages/index.js'
import { deactivateRealm } from './administration/organization-lifecycle/index.js'
import { botEvents, botOperations, BotSection } from './accounts/bots/index.js'
import { emailChangeOperations } from './accounts/email-changes/index.js'
import {
  realmDomainEvents,
  realmDomainOperations,
  RealmDomainSection,
} from './organization/domains/index.js'
import {
  playgroundEvents,
  playgroundOperations,
  PlaygroundSection,
} from './content/playgrounds/index.js'
import { presenceEvents, presenceOperations, PresenceSection } from './personal/presence/index.js'
import {
  pushDeviceChanged,
  pushDeviceOperations,
  PushDeviceSection,
} from './notifications/push-devices/index.js'
import { pushNotificationOperations } from './notifications/push/index.js'
import {
  addReaction,
  reactionAdded,
  reactionRemoved,
  removeReaction,
} from './messages/reactions/index.js'
import {
  profileFieldEvents,
  profileFieldOperations,
  ProfileFieldSection,
} from './accounts/profile-fields/index.js'
import { registerQueue, UnsupportedSections } from './administration/register/index.js'
import { reminderEvents, reminderOperations, ReminderSection } from './personal/reminders/index.js'
import {
  savedSnippetEvents,
  savedSnippetOperations,
  SavedSnippetSection,
} from './personal/saved-snippets/index.js'
import {
  createScheduledMessage,
  deleteScheduledMessage,
  getScheduledMessages,
  scheduledMessageRemoved,
  scheduledMessagesAdded,
  ScheduledMessageSnapshot,
  scheduledMessageUpdated,
  updateScheduledMessage,
} from './personal/scheduled-messages/index.js'
import { getServerSettings } from './administration/server-settings/index.js'
import { signOn } from './access/single-sign-on/index.js'
import type { SnapshotSection } from '../resource-definition/snapshot-section.js'
import { addSubmessage, submessageAdded } from './messages/submessages/index.js'
import {
  createChannel,
  getSubscriptions,
  getSubscriptionStatus,
  peersAdded,
  peersRemoved,
  subscribe,
  subscriptionsAdded,
  SubscriptionSnapshot,
  subscriptionsRemoved,
  subscriptionUpdated,
  unsubscribe,
  updateSubscriptions,
  updateSubscriptionSettings,
} from './channels/subscriptions/index.js'
import { typingEvents, typingOperations } from './messages/typing/index.js'
import { shownFileOperations } from './shown-files.js'
import {
  userGroupEvents,
  userGroupOperations,
  UserGroupSnapshot,
} from './groups/user-groups/index.js'
import {
  createUser,
  deactivateOwnUser,
  deactivateUser,
  reactivateUser,
  updateUser,
  updateUserByEmail,
} from './accounts/user-administration/index.js'
import {
  getOwnUser,
  getUser,
  getUserByEmail,
  getUsers,
  UserListSnapshot,
} from './accounts/user-list/index.js'
import {
  getStreamTopics,
  mutedTopicsChanged,
  muteTopic,
  updateUserTopic,
  userTopicChanged,
  UserTopicSnapshot,
} from './channels/topics/index.js'
import {
  userSettingsEvents,
  userSettingsOperations,
  UserSettingsSnapshot,
} from './personal/user-settings/index.js'
import {
  userStatusEvents,
  userStatusOperations,
  UserStatusSection,
} from './personal/user-status/index.js'
import {
  botUpdated,
  exportConsentChanged,
  userAdded,
  userRemoved,
  userUpdated,
} from './people/users/index.js'

export {
  allNewcomerSteps,
  allMembershipSteps,
  allAccountSteps,
  allChannelSteps,
  allUserVisibilitySteps,
  allGroupChangeSteps,
  profileValues,
  allMessageSentSteps,
  allMessageEditSteps,
  allQueueEndSteps,
  allMessageDecorations,
} from './steps.js'

/** Every operation of the API. */
export const allOperations: readonly Operation[] = [
  getApiDescription,
  renderMessage,
  getServerSettings,
  signOn,
  fetchApiKey,
  devFetchApiKey,
  devListUsers,
  regenerateOwnApiKey,
  getUsers,
  getOwnUser,
  getUser,
  getUserByEmail,
  createUser,
  updateUser,
  updateUserByEmail,
  deactivateUser,
  deactivateOwnUser,
  reactivateUser,
  registerQueue,
  getEvents,
  createSocketTicket,
  deleteQueue,
  sendMessage,
  getMessages,
  getMessage,
  checkMessagesMatchNarrow,
  updateMessageFlags,
  updateMessageFlagsForNarrow,
  markAllAsRead,
  markStreamAsRead,
  markTopicAsRead,
  updateMessage,
  deleteMessage,
  deleteTopic,
  getMessageHistory,
  getReadReceipts,
  reportMessage,
  addReaction,
  removeReaction,
  addSubmessage,
  getCustomEmoji,
  uploadCustomEmoji,
  deactivateCustomEmoji,
  getEmojiImage,
  getEmojiData,
  getLinkifiers,
  addLinkifier,
  updateLinkifier,
  removeLinkifier,
  reorderLinkifiers,
  getScheduledMessages,
  createScheduledMessage,
  updateScheduledMessage,
  deleteScheduledMessage,
  ...savedSnippetOperations,
  ...navigationViewOperations,
  ...userGroupOperations,
  ...userSettingsOperations,
  getAlertWords,
  addAlertWords,
  removeAlertWords,
  muteUser,
  unmuteUser,
  ...draftOperations,
  ...shownFileOperations,
  ...attachmentOperations,
  getSubscriptions,
  subscribe,
  unsubscribe,
  updateSubscriptions,
  createChannel,
  getStreams,
  getStreamById,
  getStreamId,
  getStreamTopics,
  getStreamEmailAddress,
  getSubscribers,
  updateStream,
  archiveStream,
  getSubscriptionStatus,
  updateSubscriptionSettings,
  updateUserTopic,
  muteTopic,
  addDefaultStream,
  removeDefaultStream,
  ...channelFolderOperations,
  ...reminderOperations,
  ...playgroundOperations,
  updateRealm,
  testWelcomeBotCustomMessage,
  deactivateRealm,
  ...realmDomainOperations,
  ...botOperations,
  ...emailChangeOperations,
  ...profileFieldOperations,
  ...pushDeviceOperations,
  ...pushNotificationOperations,
  ...typingOperations,
  ...presenceOperations,
  ...userStatusOperations,
]

/** Every event that clients may receive. */
export const allEvents: readonly EventDefinition[] = [
  messageSent.definition,
  messagesUpdated.definition,
  messagesDeleted.definition,
  messageFlagsAdded.definition,
  messageFlagsRemoved.definition,
  userAdded.definition,
  userUpdated.definition,
  userRemoved.definition,
  botUpdated.definition,
  ...botEvents,
  exportConsentChanged.definition,
  realmDeactivated.definition,
  realmUpdated.definition,
  realmSettingsUpdated.definition,
  reactionAdded.definition,
  reactionRemoved.definition,
  submessageAdded.definition,
  customEmojiChanged.definition,
  linkifiersChanged.definition,
  scheduledMessagesAdded.definition,
  scheduledMessageUpdated.definition,
  scheduledMessageRemoved.definition,
  ...savedSnippetEvents,
  ...navigationViewEvents,
  ...userGroupEvents,
  ...userSettingsEvents,
  alertWordsChanged.definition,
  mutedUsersChanged.definition,
  ...draftEvents,
  ...attachmentEvents,
  channelsCreated.definition,
  channelsDeleted.definition,
  channelUpdated.definition,
  subscriptionsAdded.definition,
  subscriptionsRemoved.definition,
  subscriptionUpdated.definition,
  peersAdded.definition,
  peersRemoved.definition,
  defaultChannelsChanged.definition,
  mutedTopicsChanged.definition,
  userTopicChanged.definition,
  ...channelFolderEvents,
  ...reminderEvents,
  ...playgroundEvents,
  ...realmDomainEvents,
  ...profileFieldEvents,
  pushDeviceChanged.definition,
  ...typingEvents,
  ...presenceEvents,
  ...userStatusEvents,
] as readonly EventDefinition<never>[] as readonly EventDefinition[]

/** The resources that contribute to the response of `POST /register`. */
export const allSnapshotSections: readonly InjectionToken<SnapshotSection>[] = [
  MessageSnapshot,
  MessageFlagSnapshot,
  BotSection,
  UnsupportedSections,
  RealmSnapshot,
  UserSettingsSnapshot,
  UserGroupSnapshot,
  AlertWordSnapshot,
  MutedUserSnapshot,
  UserListSnapshot,
  CustomEmojiSnapshot,
  ScheduledMessageSnapshot,
  ReminderSection,
  LinkifierSnapshot,
  SavedSnippetSection,
  NavigationViewSection,
  DraftSection,
  SubscriptionSnapshot,
  ChannelSnapshot,
  ChannelFolderSection,
  DefaultChannelSnapshot,
  UserTopicSnapshot,
  PlaygroundSection,
  RealmDomainSection,
  ProfileFieldSection,
  PushDeviceSection,
  PresenceSection,
  UserStatusSection,
]
