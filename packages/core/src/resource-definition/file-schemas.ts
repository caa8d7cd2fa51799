import { Type } from 'typebox'

/** An id that a file assigns to an object. */
export const FileId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

/** The end of the year 9999, which also rejects timestamps in milliseconds. */
const maxSeconds = 253_402_300_799

export const FileSeconds = Type.Integer({
  minimum: 0,
  maximum: maxSeconds,
  description: 'UNIX seconds.',
})

/** Options of object schemas that accept no additional keys. */
export const closed = { additionalProperties: false } as const
