import { Type, type Static } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'

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
