import { Changes, changing, defineRecord, type RecordKind } from '../../../events/record-kind.js'
import { userSettingChanged } from './own-events.js'
import { userAdded, userRemoved, userUpdated } from './user-events.js'

/** A change of an account of which no client gets an event, such as that of a key. */
export const accountChanged = defineRecord<{ readonly userId: number }>('@user')

/** The events about users, with whom they are about. */
export const userEvents = [userAdded, userUpdated, userRemoved].map(
  (event: RecordKind<{ readonly person: { readonly user_id: number } }>) =>
    changing(event, ({ person }) => [person.user_id]),
)

/** Changes of who is active, or of the roles of active users. */
export const activeUserChanges = [
  userAdded,
  changing(userUpdated, ({ person }) => ('role' in person || 'is_active' in person ? 'all' : [])),
]

/** Changes of users and their accounts, with those whom they concern. */
export const userChanges = new Changes([
  ...userEvents,
  changing(accountChanged, ({ userId }) => [userId]),
  changing(userSettingChanged, (_, userIds) => [...userIds]),
])
