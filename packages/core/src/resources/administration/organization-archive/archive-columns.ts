import { Type, type TSchema } from 'typebox'

import type { ColumnFacts } from '../../../storage/tables/column.js'

/** The bounds of the database. */
const maxInteger = 2_147_483_647
const maxLongText = 16_777_215
const maxText = 65_535

/** The schema of the values of a column. */
export function schemaOf(facts: ColumnFacts): TSchema {
  const { values, isNullable = false } = facts
  const schema =
    values === undefined ? typed(facts) : Type.Union(values.map((value) => Type.Literal(value)))
  return isNullable ? Type.Union([schema, Type.Null()]) : schema
}

function typed(facts: ColumnFacts): TSchema {
  const { kind, minLength, maxLength = maxLongText, pattern } = facts
  const { minimum = kind === 'bigInteger' ? Number.MIN_SAFE_INTEGER : -maxInteger - 1 } = facts
  switch (kind) {
    case 'id':
    case 'count':
    case 'integer':
      return Type.Integer({ minimum, maximum: maxInteger })
    case 'bigInteger':
      return Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER })
    case 'number':
      return Type.Number({ minimum })
    case 'boolean':
      return Type.Boolean()
    case 'text':
      return Type.String({ maxLength: maxText })
    case 'string':
    case 'longText':
    case 'bytes':
      return Type.String({
        maxLength,
        ...(minLength === undefined ? {} : { minLength }),
        ...(pattern === undefined ? {} : { pattern }),
      })
  }
}
