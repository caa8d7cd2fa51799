import fc from 'fast-check'

/** The parts of JSON Schema that declarations use. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
}

const texts = [
  '',
  ' ',
  'general',
  'all',
  'newest',
  'read',
  'add',
  'octopus',
  'role:members',
  'UTC',
  '%_\\',
  '\'";--',
  '../..',
  '\0',
  '\ud83d',
  '\u202e',
  '🐙'.repeat(70),
  'x'.repeat(10_001),
  'y'.repeat(100_000),
  ' '.repeat(100_000),
  `a${'\u0301'.repeat(20_000)}`,
  '9'.repeat(50_000),
  '<b>**x** @**all** #**general>a@1** :octopus: $$x$$',
  '```spoiler\n> a',
  '[1,',
  '{}',
] as const

const numbers = [0, -1, 1.5, 1e308, 1e21, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 2 ** 53 + 1] as const

const shapes = [
  null,
  true,
  [],
  {},
  [[[]]],
  { a: { b: [1] } },
  Array.from({ length: 2_000 }, (_, index) => index),
  Array.from({ length: 20_001 }, (_, index) => index),
  Array.from({ length: 1_200 }, (_, index) => `word${index}`),
  Array.from({ length: 20 }, () => 'z'.repeat(20_000)),
  Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key${index}`, index])),
  { add: Array.from({ length: 15_000 }, (_, index) => index) },
  { new: { direct_members: Array.from({ length: 9_000 }, (_, index) => index) } },
  Array.from({ length: 1_000 }, (_, index) => ({ id: index, name: `name${index}` })),
  JSON.parse('['.repeat(2_000) + ']'.repeat(2_000)) as unknown,
] as const

const text: fc.Arbitrary<unknown> = fc.oneof(fc.constantFrom(...texts), fc.string())
const anything: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.constantFrom(...numbers),
  fc.constantFrom(...shapes),
  fc.jsonValue(),
)

const operators =
  'channel stream topic dm dm-including sender id near with is has in search channels pm-with bogus'.split(
    ' ',
  )

/** Terms of narrows: valid, nearly valid, and invalid. */
const narrowTerm = (ids: readonly number[]): fc.Arbitrary<unknown> => {
  const operator = fc.constantFrom(...operators)
  const operand = fc.oneof(text, fc.constantFrom(...ids), anything)
  return fc.oneof(
    fc.tuple(operator, operand),
    fc.record({ operator, operand, negated: fc.boolean() }, { requiredKeys: ['operator'] }),
  )
}

/**
 * Values for a parameter of that schema: often valid, often the id of an existing item, and one
 * time in eight any value.
 */
export function hostileValue(
  name: string,
  schema: Schema,
  ids: readonly number[],
): fc.Arbitrary<unknown> {
  if (name === 'narrow') return fc.array(narrowTerm(ids), { maxLength: 3 })
  return fc.oneof(
    { weight: 7, arbitrary: fitting(name, schema, ids) },
    { weight: 1, arbitrary: anything },
  )
}

function fitting(name: string, schema: Schema, ids: readonly number[]): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) {
    return fc.oneof(...schema.anyOf.map((one) => hostileValue('', one, ids)))
  }
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  switch (type) {
    case 'string':
      return text
    case 'integer':
      return fc.oneof(fc.constantFrom(...ids), fc.constantFrom(...numbers), fc.integer())
    case 'number':
      return fc.oneof(fc.constantFrom(...numbers), fc.double())
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(hostileValue('', schema.items ?? {}, ids), { maxLength: 3 })
    case 'object':
      return fittingObject(schema, ids)
    default:
      return fc.oneof(anything, fc.constantFrom(...ids))
  }
}

function fittingObject(schema: Schema, ids: readonly number[]): fc.Arbitrary<unknown> {
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, member]) => [name, hostileValue(name, member, ids)] as const,
  )
  const known = fc.record(Object.fromEntries(members), { requiredKeys: [] })
  if (typeof schema.additionalProperties !== 'object') return known
  const others = fc.dictionary(fc.string(), hostileValue('', schema.additionalProperties, ids), {
    maxKeys: 2,
  })
  return fc.tuple(known, others).map(([one, other]) => ({ ...one, ...other }))
}
