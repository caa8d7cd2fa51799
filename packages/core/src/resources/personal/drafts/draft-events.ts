import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import { Draft } from './draft-schemas.js'

export const draftsAdded = defineEvent({
  type: 'drafts',
  op: 'add',
  decidesNothing: true,
  summary: 'Drafts were stored, one or several at once. Sent to their owner.',
  payload: Type.Object({ drafts: Type.Array(Draft) }),
})

export const draftUpdated = defineEvent({
  type: 'drafts',
  op: 'update',
  decidesNothing: true,
  summary: 'A draft was edited. Sent to its owner.',
  payload: Type.Object({ draft: Draft }),
})

export const draftRemoved = defineEvent({
  type: 'drafts',
  op: 'remove',
  decidesNothing: true,
  summary: 'A draft was deleted. Sent to its owner.',
  payload: Type.Object({ draft_id: Type.Integer() }),
})
