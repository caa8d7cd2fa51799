import { Type, type TSchemaOptions } from 'typebox'

import { Role } from './users/actor.js'

/** Maximum length of a name, an address, a code or a word, in characters. */
const maxNameLength = 1000

/** Maximum length of the content of a message and of other Markdown, in characters. */
const maxTextLength = 100_000

/** Default maximum number of items of a list. */
const maxListItems = 20_000

/** Maximum number of objects that one request creates or changes. */
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
 * one: a larger value is rejected before the operation is called.
 *
 * Where an operation has its own answer to long values (it truncates a topic, or answers "Name too
 * long!"), the bound here is larger than the operation's.
 */
export const Bounded = {
  /** Any integer that JavaScript represents exactly; the operation restricts the range. */
  integer,

  /** An integer that is not negative. */
  count,

  /** The id of a user, a channel, a message or anything else that the database numbers. */
  id: count,

  /** A list of ids; at most 20,000 unless `maxItems` is set. */
  ids: (options: TSchemaOptions = {}) =>
    Type.Array(count(), { maxItems: maxListItems, ...options }),

  /** The number of a role. */
  role: (options: TSchemaOptions = {}) =>
    Type.Union(
      [
        Type.Literal(Role.owner),
        Type.Literal(Role.administrator),
        Type.Literal(Role.moderator),
        Type.Literal(Role.member),
        Type.Literal(Role.guest),
      ],
      options,
    ),

  /** A point in time, in UNIX seconds. */
  seconds: (options: TSchemaOptions = {}) => integer({ description: 'UNIX seconds.', ...options }),

  /** A name, an address, a code or a word; at most 1,000 characters. */
  name,

  /** A list of names; at most 20,000 unless `maxItems` is set. */
  names: (options: TSchemaOptions = {}) =>
    Type.Array(name(), { maxItems: maxListItems, ...options }),

  /** A topic: at most 1,000 characters. Operations that store a topic may truncate it further. */
  topic: name,

  /** Markdown: at most 100,000 characters. Operations that store it may truncate it further. */
  text: (options: TSchemaOptions = {}) => Type.String({ maxLength: maxTextLength, ...options }),

  /**
   * A value of any type, which the operation validates itself.
   *
   * @param maxJsonLength maximum length of its JSON, in characters.
   */
  json: (maxJsonLength: number, options: TSchemaOptions = {}) =>
    Type.Unknown({ maxJsonLength, ...options }),
} as const
