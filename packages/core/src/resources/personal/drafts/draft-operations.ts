import { Type } from 'typebox'

import { Bounded, maxObjects } from '../../../domain/bounded-schemas.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { Draft, DraftInput } from './draft-schemas.js'
import { DraftService } from './draft-service.js'

export const getDrafts = defineOperation({
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

export const createDrafts = defineOperation({
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

export const editDraft = defineCommand({
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

export const deleteDraft = defineCommand({
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
