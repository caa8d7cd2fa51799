import { Type } from 'typebox'

import { Bounded, maxObjects } from '../../../domain/bounded-schemas.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { storedDraft } from './draft-check.js'
import { Draft, DraftInput, draftRemoved, draftsAdded, draftUpdated } from './draft-events.js'
import { DraftService } from './draft-service.js'
import { drafts as table } from './drafts-table.js'

export { DraftService } from './draft-service.js'

const getDrafts = defineOperation({
  id: 'get-drafts',
  summary: "Get the caller's drafts, the latest edit first.",
  method: 'GET',
  path: '/drafts',
  access: 'user',
  isPersonal: true,
  params: {},
  response: Type.Object({ count: Type.Integer(), drafts: Type.Array(Draft) }),
  errors: ['BAD_REQUEST'],
  service: DraftService,
  async handle(service, { actor }) {
    const drafts = await service.list(actor)
    return { count: drafts.length, drafts }
  },
})

const createDrafts = defineOperation({
  id: 'create-drafts',
  summary: 'Store drafts: either all of them or none.',
  method: 'POST',
  path: '/drafts',
  access: 'user',
  isPersonal: true,
  params: {
    drafts: Type.Array(DraftInput, { maxItems: maxObjects, default: [], unstorable: 'own' }),
  },
  response: Type.Object({
    ids: Type.Array(Type.Integer(), { description: 'In the order of the request.' }),
  }),
  errors: ['BAD_REQUEST'],
  service: DraftService,
  async handle(service, { actor, params }) {
    return { ids: await service.create(actor, params.drafts) }
  },
})

const editDraft = defineCommand({
  id: 'edit-draft',
  summary: "Replace one of the caller's drafts.",
  method: 'PATCH',
  path: '/drafts/{draft_id}',
  access: 'user',
  isPersonal: true,
  params: { draft_id: Bounded.id(), draft: DraftInput },
  errors: ['BAD_REQUEST', 'OBJECT_NOT_FOUND'],
  service: DraftService,
  handle: (service, { actor, params }) => service.replace(actor, params.draft_id, params.draft),
})

const deleteDraft = defineCommand({
  id: 'delete-draft',
  summary: "Delete one of the caller's drafts.",
  method: 'DELETE',
  path: '/drafts/{draft_id}',
  access: 'user',
  isPersonal: true,
  params: { draft_id: Bounded.id() },
  errors: ['BAD_REQUEST', 'OBJECT_NOT_FOUND'],
  service: DraftService,
  handle: (service, { actor, params }) => service.delete(actor, params.draft_id),
})

/** The maximum number of drafts in a snapshot, which contains the newest. */
const maxDrafts = 1000

const draftSnapshot = defineSnapshot({
  keys: { drafts: Type.Array(Draft) },
  fetchType: 'drafts',
  service: DraftService,
  async load(drafts, context) {
    return { drafts: await drafts.listNewest(context.scope, context.actor.userId, maxDrafts) }
  },
})

const FileDraft = Type.Object(
  { id: Type.Optional(FileId), user_id: FileId, ...DraftInput.properties },
  closed,
)

const draftFile = defineFileSection({
  key: 'drafts',
  summary: 'Messages that users have not sent yet.',
  item: FileDraft,
  rowsOf: table,
  rows:
    ({ createdAtSeconds }) =>
    ({ id, user_id, ...draft }) => ({
      ...(id === undefined ? {} : { id }),
      user_id,
      ...storedDraft(draft, user_id, createdAtSeconds),
    }),
  async check(items, check) {
    for await (const { place, item } of items) {
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      if (item.type === 'stream') check.requireAllKnown(`${place}/to`, 'channel', item.to)
      if (item.type === 'private') check.requireAllKnown(`${place}/to`, 'user', item.to)
      check.requireRule(place, () => storedDraft(item, item.user_id, 0))
    }
  },
})

export const drafts = defineResource({
  operations: [getDrafts, createDrafts, editDraft, deleteDraft],
  events: [draftsAdded, draftUpdated, draftRemoved],
  snapshot: draftSnapshot,
  fileSection: draftFile,
})
