import { Type } from 'typebox'

/** An id that a file prescribes. */
export const FileId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

/** The end of the year 9999: later dates have no usual form. Milliseconds are far beyond it. */
const maxSeconds = 253_402_300_799

export const FileSeconds = Type.Integer({
  minimum: 0,
  maximum: maxSeconds,
  description: 'UNIX seconds.',
})

/** Of objects that have no other keys than those described. */
export const closed = { additionalProperties: false } as const
