import type { InjectionToken } from 'tsyringe'

import { ManagedBots } from './bots/index.js'
import { DefaultChannelService } from './default-channels/index.js'
import { QueueLimit, SignOut, type QueueEndStep } from './event-queues/index.js'
import type { MessageEditStep } from './message-editing/index.js'
import type { MessageDecoration, MessageSentStep } from './messages/index.js'
import { GroupNotices, WelcomeNotices } from './notices/index.js'
import { GuestDepartures, RoleVisibility } from './guest-visibility/index.js'
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

/** The steps that resources run for every new user, in this order. */
export const allNewcomerSteps: readonly InjectionToken<NewcomerStep>[] = [
  RoleGroups,
  DefaultSubscriptions,
  NewcomerHistory,
  WelcomeNotices,
]

/** The steps that resources run when group members are added or removed, in this order. */
export const allMembershipSteps: readonly InjectionToken<MembershipStep>[] = [GroupNotices]

/** The steps that resources run for every change of an account, in this order. */
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

/** The steps that resources run for every change of who is in a group, in this order. */
export const allGroupChangeSteps: readonly InjectionToken<GroupChangeStep>[] = [GroupChannels]

/** The implementation of custom profile values. */
export const profileValues: InjectionToken<ProfileValues> = StoredProfileValues

/** The steps that resources run for every new message, in this order. */
export const allMessageSentSteps: readonly InjectionToken<MessageSentStep>[] = [
  NotifiedMessageStep,
  OutgoingWebhookStep,
]

/** The steps that resources run for every edit of a message's content, in this order. */
export const allMessageEditSteps: readonly InjectionToken<MessageEditStep>[] = [EditedMessageStep]

/** The steps that resources run when event queues end, in this order. */
export const allQueueEndSteps: readonly InjectionToken<QueueEndStep>[] = [EndedQueueStep]

/** The resources that contribute to every message object. */
export const allMessageDecorations: readonly InjectionToken<MessageDecoration>[] = [
  ReactionDecoration,
  SubmessageDecoration,
]
