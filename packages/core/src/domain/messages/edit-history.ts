import { Type, type Static } from 'typebox'

/** One change of a message; which keys are present depends on what was changed. */
export const EditHistoryItem = Type.Object(
  {
    user_id: Type.Union([Type.Integer(), Type.Null()]),
    timestamp: Type.Integer({ description: 'UNIX seconds.' }),
    prev_content: Type.Optional(Type.String()),
    prev_rendered_content: Type.Optional(Type.String()),
    prev_stream: Type.Optional(Type.Integer()),
    stream: Type.Optional(Type.Integer()),
    prev_topic: Type.Optional(Type.String()),
    topic: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
export type EditHistoryItem = Static<typeof EditHistoryItem>
