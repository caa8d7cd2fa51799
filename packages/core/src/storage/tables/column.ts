import type { Json } from '../../kernel/json.js'

/** The content of a column of JSON, beyond its syntax. */
export type JsonContents =
  /** Any JSON. */
  | 'any'
  /** JSON, or nothing. */
  | 'optional'
  /** An object whose values are ids of groups. */
  | 'group ids'

/** The effect of the erasure of a user on the rows, or the values, of a column. */
export type Erasure =
  /** The rows are deleted, all at once. */
  | 'deleted'
  /** The rows are deleted in batches, because there may be any number of them. */
  | 'deleted in batches'
  /** The rows stay, without anything that identifies the user. */
  | 'anonymized'
  /** The rows stay as they are, and refer to the erased account. */
  | 'kept'

/** Ids of users in a column, when one of these users is erased. */
export interface PersonalData {
  readonly erasure: Erasure
  readonly because: string
}

export interface ColumnFacts {
  /** Whole numbers: `id` and `count` have 32 bits without a sign, `integer` has one. */
  readonly kind:
    | 'id'
    | 'count'
    | 'integer'
    | 'bigInteger'
    | 'number'
    | 'boolean'
    | 'string'
    | 'text'
    | 'longText'
    | 'bytes'
  /** The lowest value that an archive may have. */
  readonly minimum?: number
  readonly minLength?: number
  /** The longest string, in characters. */
  readonly maxLength?: number
  /** A regular expression that the strings of an archive match. */
  readonly pattern?: string
  /** All values that an archive may have. */
  readonly values?: readonly (string | number)[]
  readonly json?: JsonContents
  /** The table whose ids the column contains. An import of an archive requires that the row exists. */
  readonly refersTo?: string
  readonly isNullable?: boolean
  readonly default?: string | number | boolean | null
  readonly personal?: PersonalData
  /** Whether records of a user's export have the column. */
  readonly isExported?: boolean
  /** Why an archive does not contain the column. */
  readonly notArchived?: string
}

/** A column of a table. `Value` is the type of its values; a new row may omit it if it has a default. */
export class Column<Value, HasDefault extends boolean = false> {
  declare readonly value: Value
  declare readonly hasDefault: HasDefault

  constructor(readonly facts: ColumnFacts) {}

  /** The longest string, in characters. Schemas of operations and files take their limit from it. */
  get maxLength(): number {
    const { maxLength } = this.facts
    if (maxLength === undefined) throw new TypeError('only strings have a maximum length')
    return maxLength
  }

  orNull(): Column<Value | null, HasDefault> {
    return new Column({ ...this.facts, isNullable: true })
  }

  /** @param value null for a column that is null in rows without it. */
  defaultsTo(value: (Value & (string | number | boolean)) | null): Column<Value, true> {
    return new Column({ ...this.facts, default: value })
  }

  exported(): Column<Value, HasDefault> {
    return new Column({ ...this.facts, isExported: true })
  }

  notArchived(because: string): Column<Value, HasDefault> {
    return new Column({ ...this.facts, notArchived: because })
  }

  /** Declares how the erasure of a user affects the ids of users in the column. */
  withUsers(personal: PersonalData): Column<Value, HasDefault> {
    return new Column({ ...this.facts, personal })
  }
}

/** An id: the row's own in the column `id`, which the database assigns, or that of another row. */
export const id = (refersTo?: string): Column<number> =>
  new Column({ kind: 'id', minimum: 1, ...(refersTo === undefined ? {} : { refersTo }) })

/** The id of a user, and the effect of the user's erasure on it. */
export const user = (personal: PersonalData): Column<number> => id('users').withUsers(personal)

/** A number from 0, of 32 bits. */
export const count = (): Column<number> => new Column({ kind: 'count', minimum: 0 })

/** A number of 32 bits with a sign. */
export const integer = <Value extends number = number>(
  facts: Pick<ColumnFacts, 'minimum'> & { readonly values?: readonly Value[] } = {},
): Column<Value> => new Column({ kind: 'integer', ...facts })

/** A number of 64 bits, from 0 unless another minimum, or none, is given. */
export const bigInteger = (facts: Pick<ColumnFacts, 'minimum'> = { minimum: 0 }): Column<number> =>
  new Column({ kind: 'bigInteger', ...facts })

/** UNIX times. */
export const seconds = (): Column<number> => bigInteger()
export const milliseconds = (): Column<number> => bigInteger()

/** A number that may have a fraction. */
export const number = (): Column<number> => new Column({ kind: 'number', minimum: 0 })

export const boolean = (): Column<boolean> => new Column({ kind: 'boolean' })

export const string = <Value extends string = string>(
  maxLength: number,
  facts: Pick<ColumnFacts, 'minLength' | 'pattern'> & { readonly values?: readonly Value[] } = {},
): Column<Value> => new Column({ kind: 'string', maxLength, ...facts })

/** A text of at most 65,535 bytes on MySQL. */
export const text = (): Column<string> => new Column({ kind: 'text' })

/** A text of at most 16,777,215 bytes on MySQL. */
export const longText = (): Column<string> => new Column({ kind: 'longText' })

/** JSON in a text. */
export const json = <Value>(contents: JsonContents = 'any'): Column<Json<Value>> =>
  new Column({ kind: 'longText', json: contents })

/** JSON in a text, or an empty one. */
export const optionalJson = <Value>(): Column<Json<Value> | ''> =>
  new Column({ kind: 'longText', json: 'optional' })

/** JSON in a text of at most 65,535 bytes on MySQL. */
export const shortJson = <Value>(contents: JsonContents = 'any'): Column<Json<Value>> =>
  new Column({ kind: 'text', json: contents })

export const bytes = (): Column<Buffer> => new Column({ kind: 'bytes' })
