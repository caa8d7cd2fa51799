import { Type, type TSchema } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { keysOf } from '../../../kernel/objects.js'
import type { NarrowOperator } from './narrow.js'
import { contents, states } from './term-resolver.js'

/** Maximum length of a term, in characters of JSON, of which a character of the text may take six. */
export const maxTermLength = 100_000

const text = Type.String({ maxLength: maxTermLength })
const textOrId = Type.Union([text, Bounded.integer()], {
  description:
    'A text; for a channel, a user or a message also its id, and for `dm` a list of ids of users; for `is`, `has`, `in` and `channels` one of the words.',
})

interface Operands {
  readonly operators: readonly NarrowOperator[]
  readonly operand: TSchema
  /** The operand in a pair, whose operands are texts. */
  readonly inPair: TSchema
}

/** What each operator applies to; those that older clients send are not described. */
const operands: readonly Operands[] = [
  {
    operators: ['channel', 'sender', 'dm-including', 'group-pm-with', 'id', 'with'],
    operand: textOrId,
    inPair: text,
  },
  { operators: ['dm'], operand: Type.Union([text, Bounded.ids()]), inPair: text },
  { operators: ['topic', 'search', 'near'], operand: text, inPair: text },
  named('is', keysOf(states)),
  named('has', keysOf(contents)),
  named('in', ['home', 'all']),
  named('channels', ['public', 'web-public']),
]

/** The schema of a term of a narrow; `parseNarrow` validates it. */
export const NarrowTermSchema = Type.Union([
  ...operands.map(({ operators, operand }) =>
    Type.Object({
      operator: oneOf(operators),
      operand,
      negated: Type.Optional(Type.Boolean({ default: false })),
    }),
  ),
  ...operands.map(({ operators, inPair }) => Type.Tuple([oneOf(operators), inPair])),
])

function named(operator: NarrowOperator, names: readonly string[]): Operands {
  const operand = oneOf(names)
  return { operators: [operator], operand, inPair: operand }
}

function oneOf(names: readonly string[]): TSchema {
  const [first, ...others] = names.map((name) => Type.Literal(name))
  return first === undefined || others.length > 0
    ? Type.Union(names.map((name) => Type.Literal(name)))
    : first
}
