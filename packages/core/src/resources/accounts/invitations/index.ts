import { defineResource } from '../../../resource-definition/resource.js'
import { invitesChanged } from './invitation-events.js'
import { InvitationMailDelivery } from './invitation-mail-delivery.js'
import {
  createInviteLink,
  getInvites,
  resendEmailInvite,
  revokeEmailInvite,
  revokeInviteLink,
  sendInvites,
} from './invitation-operations.js'
import { InvitationResealing } from './invitation-resealing.js'
import { InvitationUpkeep } from './invitation-upkeep.js'
import { showJoinPage, submitJoinPage } from './join-operations.js'

export {
  ApplicationInvitations,
  type InvitationAnswer,
  type OpenInvitation,
} from './application-invitations.js'
export { InvitationChanges } from './invitation-changes.js'
export { InvitationsOptionToken, type InvitationsOption } from './invitation-settings.js'

export const invitations = defineResource({
  operations: [
    getInvites,
    sendInvites,
    createInviteLink,
    revokeEmailInvite,
    revokeInviteLink,
    resendEmailInvite,
    showJoinPage,
    submitJoinPage,
  ],
  events: [invitesChanged],
  backgroundWork: [InvitationMailDelivery, InvitationResealing, InvitationUpkeep],
})
