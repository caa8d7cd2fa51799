import type { InjectionToken } from 'tsyringe'

import { ManagedBots } from './bots/index.js'
import { DefaultChannelService } from './default-channels/index.js'
import { QueueLimit, SignOut, type QueueEndStep } from './event-queues/index.js'
import type { MessageEditStep } from './message-editing/index.js'
import type { MessageDecoration, MessageSentStep } from './messages/index.js'
import { GroupNotices, WelcomeNotices } from './notices/index.js'
import { GuestDepartures, RoleVisibility } from './guest-sight/index.js'
import { NewcomerHistory } from './newcomer-history/index.js'
import { EmailChanges } from './email-changes/index.js'
import { OutgoingWebhookStep } from './outgoing-webhooks/index.js'
import { PushTokenService } from './push-devices/index.js'
import {
  EditedMessageStep,
  EndedQueueStep,
  NotifiedMessageStep,
} from './push-notifications/index.js'
import { ReactionDecoration } from './reactions/index.js'
import { StoredProfileValues } from './profile-fields/index.js'
import { AccountGroups, RoleGroups } from './role-groups/index.js'
import { SettingMembers } from './setting-members/index.js'
import { SubmessageDecoration } from './submessages/index.js'
import { AccountSubscriptions, DefaultSubscriptions, GroupChannels } from './subscriptions/index.js'
import { UserStatusService } from './user-status/index.js'
import type { GroupChangeStep, MembershipStep } from './user-groups/index.js'
import type { AccountStep, NewcomerStep, ProfileValues } from './users/index.js'

/** What nouns do about every new user, in this order. */
export const allNewcomerSteps: readonly InjectionToken<NewcomerStep>[] = [
  RoleGroups,
  DefaultSubscriptions,
  NewcomerHistory,
  WelcomeNotices,
]

/** What nouns do about members that groups gain and lose, in this order. */
export const allMembershipSteps: readonly InjectionToken<MembershipStep>[] = [GroupNotices]

/** What nouns do about every change of an account, in this order. */
export const allAccountSteps: readonly InjectionToken<AccountStep>[] = [
  RoleGroups,
  UserStatusService,
  AccountSubscriptions,
  AccountGroups,
  SettingMembers,
  DefaultChannelService,
  GuestDepartures,
  RoleVisibility,
  ManagedBots,
  PushTokenService,
  EmailChanges,
  QueueLimit,
  SignOut,
]

/** What nouns do about every change of who is in a group, in this order. */
export const allGroupChangeSteps: readonly InjectionToken<GroupChangeStep>[] = [GroupChannels]

/** Who knows the custom profile values of users. */
export const profileValues: InjectionToken<ProfileValues> = StoredProfileValues

/** What nouns do about every new message, in this order. */
export const allMessageSentSteps: readonly InjectionToken<MessageSentStep>[] = [
  NotifiedMessageStep,
  OutgoingWebhookStep,
]

/** What nouns do about every edit of a message's text, in this order. */
export const allMessageEditSteps: readonly InjectionToken<MessageEditStep>[] = [EditedMessageStep]

/** What nouns do about event queues that end, in this order. */
export const allQueueEndSteps: readonly InjectionToken<QueueEndStep>[] = [EndedQueueStep]

/** The nouns that have a part in every message object. */
export const allMessageDecorations: readonly InjectionToken<MessageDecoration>[] = [
  ReactionDecoration,
  SubmessageDecoration,
]
