import type { InjectionToken } from 'tsyringe'
import type { EventDefinition } from '../events/event.js'
import type { Operation } from '../http/operation.js'
import {
  addAlertWords,
  alertWordsChanged,
  AlertWordSnapshot,
  getAlertWords,
  removeAlertWords,
} from './alert-words/index.js'
import { getApiDescription } from './api-description/index.js'
import { attachmentEvents, attachmentOperations } from './attachments/index.js'
import {
  createSocketTicket,
  devFetchApiKey,
  devListUsers,
  fetchApiKey,
  regenerateOwnApiKey,
} from './authentication/index.js'
import { getStreamEmailAddress } from './channel-email-addresses/index.js'
import { archiveStream, updateStream } from './channel-administration/index.js'
import {
  channelFolderEvents,
  channelFolderOperations,
  ChannelFolderSection,
} from './channel-folders/index.js'
import {
  channelsCreated,
  channelsDeleted,
  ChannelSnapshot,
  channelUpdated,
  getStreamById,
  getStreamId,
  getStreams,
  getSubscribers,
} from './channels/index.js'
import {
  customEmojiChanged,
  CustomEmojiSnapshot,
  deactivateCustomEmoji,
  getCustomEmoji,
  getEmojiData,
  getEmojiImage,
  uploadCustomEmoji,
} from './custom-emoji/index.js'
import {
  addDefaultStream,
  defaultChannelsChanged,
  DefaultChannelSnapshot,
  removeDefaultStream,
} from './default-channels/index.js'
import { draftEvents, draftOperations, DraftSection } from './drafts/index.js'
import { deleteQueue, getEvents } from './event-queues/index.js'
import {
  addLinkifier,
  getLinkifiers,
  linkifiersChanged,
  LinkifierSnapshot,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
} from './linkifiers/index.js'
import {
  deleteMessage,
  deleteTopic,
  getMessageHistory,
  getReadReceipts,
  messagesDeleted,
  messagesUpdated,
  updateMessage,
} from './message-editing/index.js'
import { reportMessage } from './message-reports/index.js'
import { renderMessage } from './message-rendering/index.js'
import {
  markAllAsRead,
  markStreamAsRead,
  markTopicAsRead,
  messageFlagsAdded,
  messageFlagsRemoved,
  MessageFlagSnapshot,
  updateMessageFlags,
  updateMessageFlagsForNarrow,
} from './message-flags/index.js'
import {
  checkMessagesMatchNarrow,
  getMessage,
  getMessages,
  messageSent,
  MessageSnapshot,
  sendMessage,
} from './messages/index.js'
import { mutedUsersChanged, MutedUserSnapshot, muteUser, unmuteUser } from './muted-users/index.js'
import {
  navigationViewEvents,
  navigationViewOperations,
  NavigationViewSection,
} from './navigation-views/index.js'
import { realmDeactivated, realmSettingsUpdated, realmUpdated } from './organizations/index.js'
import { RealmSnapshot, updateRealm } from './organization-settings/index.js'
import { testWelcomeBotCustomMessage } from './notices/index.js'
import { deactivateRealm } from './organization-lifecycle/index.js'
import { botEvents, botOperations, BotSection } from './bots/index.js'
import { emailChangeOperations } from './email-changes/index.js'
import {
  realmDomainEvents,
  realmDomainOperations,
  RealmDomainSection,
} from './realm-domains/index.js'
import { playgroundEvents, playgroundOperations, PlaygroundSection } from './playgrounds/index.js'
import { presenceEvents, presenceOperations, PresenceSection } from './presence/index.js'
import { pushDeviceChanged, pushDeviceOperations, PushDeviceSection } from './push-devices/index.js'
import { pushNotificationOperations } from './push-notifications/index.js'
import { addReaction, reactionAdded, reactionRemoved, removeReaction } from './reactions/index.js'
import {
  profileFieldEvents,
  profileFieldOperations,
  ProfileFieldSection,
} from './profile-fields/index.js'
import { registerQueue, UnsupportedSections } from './register/index.js'
import { reminderEvents, reminderOperations, ReminderSection } from './reminders/index.js'
import {
  savedSnippetEvents,
  savedSnippetOperations,
  SavedSnippetSection,
} from './saved-snippets/index.js'
import {
  createScheduledMessage,
  deleteScheduledMessage,
  getScheduledMessages,
  scheduledMessageRemoved,
  scheduledMessagesAdded,
  ScheduledMessageSnapshot,
  scheduledMessageUpdated,
  updateScheduledMessage,
} from './scheduled-messages/index.js'
import { getServerSettings } from './server-settings/index.js'
import { signOn } from './single-sign-on/index.js'
import type { SnapshotSection } from './snapshot/index.js'
import { addSubmessage, submessageAdded } from './submessages/index.js'
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
} from './subscriptions/index.js'
import { getStreamTopics } from './topics/index.js'
import { typingEvents, typingOperations } from './typing/index.js'
import { shownFileOperations } from './shown-files.js'
import { userGroupEvents, userGroupOperations, UserGroupSnapshot } from './user-groups/index.js'
import {
  createUser,
  deactivateOwnUser,
  deactivateUser,
  reactivateUser,
  updateUser,
  updateUserByEmail,
} from './user-administration/index.js'
import {
  getOwnUser,
  getUser,
  getUserByEmail,
  getUsers,
  UserListSnapshot,
} from './user-list/index.js'
import {
  mutedTopicsChanged,
  muteTopic,
  updateUserTopic,
  userTopicChanged,
  UserTopicSnapshot,
} from './user-topics/index.js'
import {
  userSettingsEvents,
  userSettingsOperations,
  UserSettingsSnapshot,
} from './user-settings/index.js'
import { userStatusEvents, userStatusOperations, UserStatusSection } from './user-status/index.js'
import {
  botUpdated,
  exportConsentChanged,
  userAdded,
  userRemoved,
  userUpdated,
} from './users/index.js'

export {
  allNewcomerSteps,
  allMembershipSteps,
  allAccountSteps,
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
