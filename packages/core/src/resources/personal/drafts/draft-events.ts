import { type Static, Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineEvent } from '../../../events/event.js'

const draftFields = {
  type: Type.Union([Type.Literal(''), Type.Literal('stream'), Type.Literal('private')], {
    description: 'Empty if the draft has no recipients yet.',
  }),
  to: Bounded.ids({ description: 'The id of one channel, or ids of users.' }),
  topic: Bounded.topic(),
  content: Bounded.text({ description: 'Markdown.' }),
}

/** A message that a user has not sent yet, as a client sends it. */
export const DraftInput = Type.Object(
  {
    ...draftFields,
    timestamp: Type.Optional(
      Type.Number({
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'UNIX seconds of the last edit. Default: now.',
      }),
    ),
  },
  { additionalProperties: false, unstorable: 'own' },
)
export type DraftInput = Static<typeof DraftInput>

/** A draft as clients receive it. */
export const Draft = Type.Object({
  id: Type.Integer(),
  ...draftFields,
  timestamp: Type.Integer({ description: 'UNIX seconds of the last edit.' }),
})
export type Draft = Static<typeof Draft>

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
