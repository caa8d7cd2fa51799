import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import { UserChange, UserObject } from './user-schemas.js'

export const userAdded = defineEvent<{
  person: UserObject
  /** Whether this is the placeholder for guests who cannot access the user. */
  isUnknown?: boolean
}>({
  type: 'realm_user',
  op: 'add',
  summary:
    'A user or bot was created. Sent to all active users, including the new one. Also sent to a guest who can newly access a user, or becomes a member.',
  payload: Type.Object({ person: UserObject }),
  accepts: ({ isUnknown }, { capabilities }) =>
    isUnknown !== true || capabilities.user_list_incomplete !== true,
  render: ({ person }) => [{ type: 'realm_user', op: 'add', person }],
})

export const userUpdated = defineEvent({
  type: 'realm_user',
  op: 'update',
  summary: 'A property of a user changed. Sent to the users who can access them.',
  payload: Type.Object({ person: UserChange }),
})

export const userRemoved = defineEvent({
  type: 'realm_user',
  op: 'remove',
  summary: 'A guest can no longer access a user. Sent to that guest.',
  payload: Type.Object({
    person: Type.Object({ user_id: Type.Integer(), full_name: Type.String() }),
  }),
})

export const exportConsentChanged = defineEvent({
  type: 'realm_export_consent',
  summary:
    'A user allowed or disallowed the export of their private data; also sent for new and reactivated users. Sent to human administrators.',
  payload: Type.Object({ user_id: Type.Integer(), consented: Type.Boolean() }),
})
