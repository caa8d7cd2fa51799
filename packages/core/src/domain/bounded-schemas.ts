import { Type, type TSchemaOptions } from 'typebox'

/** How long a name, an address, a code or a word may be, in characters. */
const maxNameLength = 1000

/** How long the content of a message and other Markdown may be, in characters. */
const maxTextLength = 100_000

/** How many items a list has at most where its declaration has no smaller number. */
const maxListItems = 20_000

/** How many objects one request makes or changes. */
export const maxObjects = 1000

function integer(options: TSchemaOptions = {}) {
  const { MIN_SAFE_INTEGER: minimum, MAX_SAFE_INTEGER: maximum } = Number
  return Type.Integer({ minimum, maximum, ...options })
}

function count(options: TSchemaOptions = {}) {
  return integer({ minimum: 0, ...options })
}

function name(options: TSchemaOptions = {}) {
  return Type.String({ maxLength: maxNameLength, ...options })
}

/**
 * The schemas that parameters of many operations share. Each has a bound, as every parameter needs
 * one: a value beyond it is refused before the operation is called.
 *
 * Where an operation has an answer of its own for long values (it shortens a topic, or says "Name
 * too long!"), the bound here is a larger one.
 */
export const Bounded = {
  /** Any integer that JavaScript keeps exactly; the operation says which ones it takes. */
  integer,

  /** An integer that is not negative. */
  count,

  /** The id of a user, a channel, a message or anything else that the database numbers. */
  id: count,

  /** A list of ids; at most 20,000 unless `maxItems` says otherwise. */
  ids: (options: TSchemaOptions = {}) =>
    Type.Array(count(), { maxItems: maxListItems, ...options }),

  /** A point in time, in UNIX seconds. */
  seconds: (options: TSchemaOptions = {}) => integer({ description: 'UNIX seconds.', ...options }),

  /** A name, an address, a code or a word; at most 1,000 characters. */
  name,

  /** A list of names; at most 20,000 unless `maxItems` says otherwise. */
  names: (options: TSchemaOptions = {}) =>
    Type.Array(name(), { maxItems: maxListItems, ...options }),

  /** A topic: at most 1,000 characters, of which operations that store one may keep fewer. */
  topic: name,

  /** Markdown: at most 100,000 characters, of which operations that store it may keep fewer. */
  text: (options: TSchemaOptions = {}) => Type.String({ maxLength: maxTextLength, ...options }),

  /**
   * A value of any type, of which the operation says what is wrong with it.
   *
   * @param maxJsonLength how long its JSON may be, in characters.
   */
  json: (maxJsonLength: number, options: TSchemaOptions = {}) =>
    Type.Unknown({ maxJsonLength, ...options }),
} as const
