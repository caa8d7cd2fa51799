import type { InjectionToken } from 'tsyringe'

import type { EventDefinition } from '../events/event.js'
import type { Operation } from '../http/operation.js'
import { getApiDescription } from './api-description/index.js'
import {
  createSocketTicket,
  devFetchApiKey,
  devListUsers,
  fetchApiKey,
  regenerateOwnApiKey,
} from './authentication/index.js'
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
import {
  createDrafts,
  deleteDraft,
  draftRemoved,
  draftsAdded,
  DraftSection,
  draftUpdated,
  editDraft,
  getDrafts,
} from './drafts/index.js'
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
import { renderMessage } from './message-rendering/index.js'
import { messageFlagsAdded, messageFlagsRemoved, updateMessageFlags } from './message-flags/index.js'
import {
  checkMessagesMatchNarrow,
  getMessage,
  getMessages,
  messageSent,
  sendMessage,
  type MessageDecoration,
} from './messages/index.js'
import {
  addNavigationView,
  editNavigationView,
  getNavigationViews,
  navigationViewAdded,
  navigationViewRemoved,
  NavigationViewSection,
  navigationViewUpdated,
  removeNavigationView,
} from './navigation-views/index.js'
import { realmDeactivated, realmUpdated } from './organizations/index.js'
import { RealmSnapshot } from './organization-settings/index.js'
import {
  addCodePlayground,
  PlaygroundSection,
  playgroundsChanged,
  removeCodePlayground,
} from './playgrounds/index.js'
import {
  addReaction,
  reactionAdded,
  ReactionDecoration,
  reactionRemoved,
  removeReaction,
} from './reactions/index.js'
import { registerQueue, SectionsWithoutANoun } from './register/index.js'
import {
  createSavedSnippet,
  deleteSavedSnippet,
  editSavedSnippet,
  getSavedSnippets,
  savedSnippetAdded,
  savedSnippetRemoved,
  savedSnippetUpdated,
  SavedSnippetSection,
} from './saved-snippets/index.js'
import { getServerSettings } from './server-settings/index.js'
import type { SnapshotSection } from './snapshot/index.js'
import {
  createChannel,
  DefaultSubscriptions,
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
} from './subscriptions/index.js'
import { getStreamTopics } from './topics/index.js'
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
  BotListSnapshot,
  UserListSnapshot,
} from './user-list/index.js'
import { UserSettingsSnapshot } from './user-settings/index.js'
import {
  botUpdated,
  type AccountStep,
  NoProfileValues,
  userAdded,
  userUpdated,
  type NewcomerStep,
  type ProfileValues,
} from './users/index.js'

/** Every operation of the API: the table of contents. */
export const allOperations: readonly Operation[] = [
  getApiDescription,
  renderMessage,
  getServerSettings,
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
  addReaction,
  removeReaction,
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
  getSavedSnippets,
  createSavedSnippet,
  editSavedSnippet,
  deleteSavedSnippet,
  getNavigationViews,
  addNavigationView,
  editNavigationView,
  removeNavigationView,
  ...userGroupOperations,
  getDrafts,
  createDrafts,
  editDraft,
  deleteDraft,
  getSubscriptions,
  subscribe,
  unsubscribe,
  createChannel,
  getStreams,
  getStreamById,
  getStreamId,
  getStreamTopics,
  getSubscribers,
  getSubscriptionStatus,
  addDefaultStream,
  removeDefaultStream,
  addCodePlayground,
  removeCodePlayground,
]

/** Every event that clients may receive. */
export const allEvents: readonly EventDefinition[] = [
  messageSent.definition,
  messageFlagsAdded.definition,
  messageFlagsRemoved.definition,
  userAdded.definition,
  userUpdated.definition,
  botUpdated.definition,
  realmDeactivated.definition,
  realmUpdated.definition,
  reactionAdded.definition,
  reactionRemoved.definition,
  customEmojiChanged.definition,
  linkifiersChanged.definition,
  savedSnippetAdded.definition,
  savedSnippetUpdated.definition,
  savedSnippetRemoved.definition,
  navigationViewAdded.definition,
  navigationViewUpdated.definition,
  navigationViewRemoved.definition,
  ...userGroupEvents,
  draftsAdded.definition,
  draftUpdated.definition,
  draftRemoved.definition,
  channelsCreated.definition,
  channelsDeleted.definition,
  channelUpdated.definition,
  subscriptionsAdded.definition,
  subscriptionsRemoved.definition,
  subscriptionUpdated.definition,
  peersAdded.definition,
  peersRemoved.definition,
  defaultChannelsChanged.definition,
  playgroundsChanged.definition,
] as readonly EventDefinition<never>[] as readonly EventDefinition[]

/** The nouns that have a part in `POST /register`'s answer. */
export const allSnapshotSections: readonly InjectionToken<SnapshotSection>[] = [
  BotListSnapshot,
  SectionsWithoutANoun,
  RealmSnapshot,
  UserSettingsSnapshot,
  UserGroupSnapshot,
  UserListSnapshot,
  CustomEmojiSnapshot,
  LinkifierSnapshot,
  SavedSnippetSection,
  NavigationViewSection,
  DraftSection,
  SubscriptionSnapshot,
  ChannelSnapshot,
  DefaultChannelSnapshot,
  PlaygroundSection,
]

/** What nouns do about every new user, in this order. */
export const allNewcomerSteps: readonly InjectionToken<NewcomerStep>[] = [DefaultSubscriptions]

/** What nouns do about every change of an account, in this order. */
export const allAccountSteps: readonly InjectionToken<AccountStep>[] = []

/** Who knows the custom profile values of users. */
export const profileValues: InjectionToken<ProfileValues> = NoProfileValues

/** The nouns that have a part in every message object. */
export const allMessageDecorations: readonly InjectionToken<MessageDecoration>[] = [
  ReactionDecoration,
]
