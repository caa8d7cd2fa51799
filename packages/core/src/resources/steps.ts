import type { InjectionToken } from 'tsyringe'

import { ManagedBots } from './accounts/bots/index.js'
import { DefaultChannelService } from './channels/default-channels/index.js'
import { QueueLimit, SignOut, type QueueEndStep } from './realtime/event-queues/index.js'
import type { MessageEditStep } from './messages/editing/index.js'
import type { MessageDecoration } from './messages/objects/index.js'
import type { MessageSentStep } from './messages/sending/index.js'
import {
  ChannelNotificationMessages,
  GroupNotificationMessages,
  WelcomeMessages,
} from './messages/notification-messages/index.js'
import {
  GuestDepartures,
  RoleVisibility,
  type UserVisibilityStep,
} from './people/user-visibility/index.js'
import { LeftChannels, NewcomerHistory } from './messages/flags/index.js'
import { EmailChanges } from './accounts/email-changes/index.js'
import { OutgoingWebhookStep } from './notifications/outgoing-webhooks/index.js'
import { PushTokenService } from './notifications/push-devices/index.js'
import {
  EditedMessageStep,
  EndedQueueStep,
  NotifiedMessageStep,
} from './notifications/push/index.js'
import { ReactionDecoration } from './messages/reactions/index.js'
import { StoredProfileValues } from './accounts/profile-fields/index.js'
import { AccountGroups, RoleGroups } from './groups/role-groups/index.js'
import { SettingMembers } from './channels/setting-members/index.js'
import { SubmessageDecoration } from './messages/submessages/index.js'
import {
  AccountSubscriptions,
  DefaultSubscriptions,
  GroupChannels,
  type ChannelStep,
} from './channels/subscriptions/index.js'
import { UserStatusService } from './personal/user-status/index.js'
import type { GroupChangeStep, MembershipStep } from './groups/user-groups/index.js'
import type { AccountStep, NewcomerStep, ProfileValues } from './people/users/index.js'

/** The steps that resources run for every new user, in this order. */
export const allNewcomerSteps: readonly InjectionToken<NewcomerStep>[] = [
  RoleGroups,
  DefaultSubscriptions,
  NewcomerHistory,
  WelcomeMessages,
]

/** The steps that resources run when group members are added or removed, in this order. */
export const allMembershipSteps: readonly InjectionToken<MembershipStep>[] = [
  GroupNotificationMessages,
]

/** The steps that resources run for every change of channels and subscriptions, in this order. */
export const allChannelSteps: readonly InjectionToken<ChannelStep>[] = [
  LeftChannels,
  ChannelNotificationMessages,
]

/** The steps that resources run when users become visible to others, in this order. */
export const allUserVisibilitySteps: readonly InjectionToken<UserVisibilityStep>[] = [
  UserStatusService,
]

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
