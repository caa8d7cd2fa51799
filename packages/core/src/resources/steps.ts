import type { InjectionToken } from 'tsyringe'

import { ManagedBots } from './accounts/bots/index.js'
import { EndedCredentials } from './access/authentication/index.js'
import { DefaultChannelService } from './channels/default-channels/index.js'
import { QueueEndStepToken, QueueLimit, SignOut } from './realtime/event-queues/index.js'
import { MessageEditStepToken } from './messages/editing/index.js'
import { MessageDecorationToken } from './messages/objects/index.js'
import { MessageSentStepToken } from './messages/sending/index.js'
import {
  ChannelNotificationMessages,
  GroupNotificationMessages,
  WelcomeMessages,
} from './messages/notification-messages/index.js'
import {
  GuestDepartures,
  RoleVisibility,
  UserVisibilityStepToken,
} from './people/user-visibility/index.js'
import { LeftChannels, NewcomerHistory } from './messages/flags/index.js'
import { DeactivatedEmailChanges } from './accounts/email-changes/index.js'
import { InvitationChanges } from './accounts/invitations/index.js'
import { ReplacedAvatars } from './files/avatars/index.js'
import { OutgoingWebhookStep } from './notifications/outgoing-webhooks/index.js'
import { PushTokenService } from './notifications/push-devices/index.js'
import {
  EditedMessageStep,
  EndedQueueStep,
  NotifiedMessageStep,
  RecentActivityToken,
} from './notifications/push/index.js'
import { ReactionDecoration } from './messages/reactions/index.js'
import { StoredProfileValues, SyncedProfileValues } from './accounts/profile-fields/index.js'
import { ApplicationGroups } from './groups/application-groups/index.js'
import { AccountGroups, RoleGroups } from './groups/role-groups/index.js'
import { SettingMembers } from './channels/setting-members/index.js'
import { SubmessageDecoration } from './messages/submessages/index.js'
import {
  AccountSubscriptions,
  DefaultSubscriptions,
  GroupChannels,
  ChannelStepToken,
} from './channels/subscriptions/index.js'
import { PresenceMemory } from './personal/presence/index.js'
import { ReturnedStatuses } from './personal/user-status/index.js'
import {
  GroupChangeStepToken,
  MembershipStepToken,
  NewcomerGroups,
} from './groups/user-groups/index.js'
import {
  AccountStepToken,
  KeyReplacedStepToken,
  NewcomerStepToken,
  ProfileValuesToken,
  SyncPartToken,
} from './people/users/index.js'

/** A token of a lower resource, and the classes that implement it, in the order of their calls. */
interface Hook {
  readonly token: InjectionToken
  readonly implementations: readonly InjectionToken[]
}

function hook<Step>(
  token: InjectionToken<Step>,
  ...implementations: readonly InjectionToken<Step>[]
): Hook {
  return { token, implementations }
}

/**
 * The hooks by which resources take part in the actions of resources below them. Their order is
 * part of the order of events.
 */
export const hooks: readonly Hook[] = [
  // For every new user.
  hook(
    NewcomerStepToken,
    RoleGroups,
    NewcomerGroups,
    DefaultSubscriptions,
    InvitationChanges,
    NewcomerHistory,
    WelcomeMessages,
  ),
  // When group members are added or removed.
  hook(MembershipStepToken, GroupNotificationMessages),
  // For every change of channels and subscriptions.
  hook(ChannelStepToken, LeftChannels, ChannelNotificationMessages),
  // When users become visible to others.
  hook(UserVisibilityStepToken, ReturnedStatuses),
  // For every change of an account.
  hook(
    AccountStepToken,
    RoleGroups,
    ReturnedStatuses,
    AccountSubscriptions,
    AccountGroups,
    SettingMembers,
    DefaultChannelService,
    GuestDepartures,
    RoleVisibility,
    EndedCredentials,
    ManagedBots,
    ReplacedAvatars,
    DeactivatedEmailChanges,
    InvitationChanges,
    QueueLimit,
    SignOut,
  ),
  // When an API key is replaced.
  hook(KeyReplacedStepToken, PushTokenService, SignOut),
  // For every change of who is in a group.
  hook(GroupChangeStepToken, GroupChannels),
  // For custom profile values.
  hook(ProfileValuesToken, StoredProfileValues),
  // For `chat.users.sync`.
  hook(SyncPartToken, ApplicationGroups, SyncedProfileValues),
  // For every new message.
  hook(MessageSentStepToken, NotifiedMessageStep, OutgoingWebhookStep),
  // For every edit of a message's content.
  hook(MessageEditStepToken, EditedMessageStep),
  // When push notifications are decided on.
  hook(RecentActivityToken, PresenceMemory),
  // When event queues end.
  hook(QueueEndStepToken, EndedQueueStep),
  // For every message object.
  hook(MessageDecorationToken, ReactionDecoration, SubmessageDecoration),
]
