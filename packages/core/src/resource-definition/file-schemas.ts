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

/**
 * The items of the lists that are read outside their own section, by key. Each such list adds its
 * own: `declare module '../../../resource-definition/file-schemas.js' { interface FileLists {
 * reactions: FileReaction } }`.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by declaration merging
export interface FileLists {}

/** The lists of a checked file that are read outside their own section. */
export type ReadFileLists = { readonly [Key in keyof FileLists]?: readonly FileLists[Key][] }

/** The type of the items of a list. */
export type FileItem<Key extends string> = Key extends keyof FileLists ? FileLists[Key] : unknown

/** Options of object schemas that accept no additional keys. */
export const closed = { additionalProperties: false } as const
