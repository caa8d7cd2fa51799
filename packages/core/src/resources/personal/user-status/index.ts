import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { fileEmojiFinder } from '../../content/emoji/index.js'
import { UserStatus, userStatusChanged } from './user-status-events.js'
import { UserStatusService } from './user-status-service.js'
import { userStatuses } from './user-statuses-table.js'

export { ReturnedStatuses } from './returned-statuses.js'
export { UserStatusService } from './user-status-service.js'

const statusParameters = {
  status_text: Type.Optional(
    Type.String({
      trim: true,
      maxLength: userStatuses.columns.status_text.maxLength,
      contentKind: 'status.text',
      description: 'An empty text removes the current one.',
    }),
  ),
  emoji_name: Type.Optional(
    Bounded.name({ description: 'An empty name removes the current emoji.' }),
  ),
  emoji_code: Type.Optional(Bounded.name()),
  reaction_type: Type.Optional(Bounded.name()),
}

const getUserStatus = defineOperation({
  id: 'get-user-status',
  summary: "Get a user's status.",
  method: 'GET',
  path: '/users/{user_id}/status',
  access: 'user',
  params: { user_id: Bounded.id() },
  response: Type.Object({ status: UserStatus }),
  errors: ['BAD_REQUEST'],
  service: UserStatusService,
  async handle(statuses, { actor, params }) {
    return { status: await statuses.get(actor, params.user_id) }
  },
})

const updateStatus = defineCommand({
  id: 'update-status',
  summary: "Change the caller's status.",
  method: 'POST',
  path: '/users/me/status',
  access: 'human',
  isPersonal: true,
  params: {
    ...statusParameters,
    away: Type.Optional(
      Type.Boolean({ description: 'Deprecated: sets `presence_enabled` to the opposite.' }),
    ),
  },
  clientParameters: { away: undefined },
  errors: ['BAD_REQUEST'],
  service: UserStatusService,
  handle: (statuses, { actor, params }) => statuses.updateOwn(actor, params),
})

const updateStatusForUser = defineCommand({
  id: 'update-status-for-user',
  summary: "Change a user's status. For administrators.",
  method: 'POST',
  path: '/users/{user_id}/status',
  access: 'user',
  isAdministrative: true,
  params: { user_id: Bounded.id(), ...statusParameters },
  errors: ['BAD_REQUEST'],
  service: UserStatusService,
  handle: (statuses, { actor, params: { user_id, ...change } }) =>
    statuses.updateOf(actor, user_id, change),
})

const userStatusSnapshot = defineSnapshot({
  keys: {
    user_status: Type.Record(Type.String(), UserStatus, { description: 'By user id.' }),
  },
  fetchType: 'user_status',
  service: UserStatusService,
  async load(statuses, context) {
    return { user_status: await statuses.list(context.scope, context.actor) }
  },
})

const FileUserStatus = Type.Object(
  {
    user_id: FileId,
    status_text: Type.Optional(
      Type.String({ maxLength: userStatuses.columns.status_text.maxLength }),
    ),
    emoji_name: Type.Optional(Type.String()),
    emoji_code: Type.Optional(Type.String()),
    reaction_type: Type.Optional(Type.String()),
  },
  closed,
)

const userStatusFile = defineFileSection({
  key: 'user_statuses',
  summary: 'User statuses.',
  item: FileUserStatus,
  rowsOf: userStatuses,
  rows(loading) {
    const find = fileEmojiFinder(loading.lists.custom_emoji ?? [])
    return ({ user_id, status_text = '', emoji_name, ...more }) => ({
      user_id,
      status_text,
      emoji_name: '',
      emoji_code: '',
      reaction_type: 'unicode_emoji',
      ...(emoji_name === undefined ? {} : find({ emoji_name, ...more })),
    })
  },
  async check(items, check) {
    const find = fileEmojiFinder(check.items('custom_emoji').map(({ item }) => item))
    const once = check.once()
    for await (const { place, item } of items) {
      once(`${place}/user_id`, item.user_id)
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      const { emoji_name, emoji_code, reaction_type } = item
      if (emoji_name === undefined) continue
      if (find({ emoji_name, emoji_code, reaction_type }) === undefined) {
        check.report(`${place}/emoji_name`, `there is no emoji '${emoji_name}'`)
      }
    }
  },
})

export const userStatus = defineResource({
  operations: [getUserStatus, updateStatus, updateStatusForUser],
  events: [userStatusChanged],
  snapshot: userStatusSnapshot,
  fileSection: userStatusFile,
})
