import { Type } from 'typebox'

import { defineEvent } from '../../events/event.js'
import { UserChange, UserObject } from './user-schemas.js'

export const userAdded = defineEvent<{
  person: UserObject
  /** Whether it is what guests learn of users whom they may not know. */
  isUnknown?: boolean
}>({
  type: 'realm_user',
  op: 'add',
  summary:
    'A user or bot was created. Sent to all active users, the new one included. ' +
    'Also when a guest who may not know of everyone comes to know of a user, or becomes a member; ' +
    'sent to that guest.',
  payload: Type.Object({ person: UserObject }),
  accepts: ({ isUnknown }, { capabilities }) =>
    isUnknown !== true || capabilities.user_list_incomplete !== true,
  render: ({ person }) => [{ type: 'realm_user', op: 'add', person }],
})

export const userUpdated = defineEvent<{ person: UserChange }>({
  type: 'realm_user',
  op: 'update',
  summary: 'Something about a user changed. Sent to the users who can access them.',
  payload: Type.Object({ person: UserChange }),
})

export const userRemoved = defineEvent<{ person: { user_id: number; full_name: string } }>({
  type: 'realm_user',
  op: 'remove',
  summary: 'A guest may no longer know of a user. Sent to that guest.',
  payload: Type.Object({
    person: Type.Object({ user_id: Type.Integer(), full_name: Type.String() }),
  }),
})

export const exportConsentChanged = defineEvent<{ user_id: number; consented: boolean }>({
  type: 'realm_export_consent',
  summary:
    'Whether a user lets their private data be exported; also told of new and reactivated users. ' +
    'Sent to human administrators.',
  payload: Type.Object({ user_id: Type.Integer(), consented: Type.Boolean() }),
})
