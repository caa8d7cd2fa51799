import { Type, type TObject, type TSchema } from 'typebox'

import { closed } from '../../../resource-definition/file-schemas.js'

/** The schemas of columns, with the bounds of the database. */
const maxInteger = 2_147_483_647
const maxMediumText = 16_777_215
const maxText = 65_535

const integer = (minimum = -maxInteger - 1): TSchema =>
  Type.Integer({ minimum, maximum: maxInteger })

export const column = {
  integer,
  id: () => integer(1),
  count: () => integer(0),
  /** UNIX time. */
  time: () => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  number: () => Type.Number({ minimum: 0 }),
  boolean: () => Type.Boolean(),
  string: (maxLength: number) => Type.String({ maxLength }),
  text: () => Type.String({ maxLength: maxText }),
  longText: () => Type.String({ maxLength: maxMediumText }),
  orNull: (schema: TSchema) => Type.Union([schema, Type.Null()]),
} as const

/** The schema of the rows of a table. */
export function rowOf(columns: Readonly<Record<string, TSchema>>): TObject {
  return Type.Object({ ...columns }, closed)
}
