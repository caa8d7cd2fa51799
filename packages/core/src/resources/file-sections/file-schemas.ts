import { Type } from 'typebox'

/** An id that a file prescribes. */
export const FileId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

export const FileSeconds = Type.Integer({ minimum: 0, description: 'UNIX seconds.' })

/** Of objects that have no other keys than those described. */
export const closed = { additionalProperties: false } as const
