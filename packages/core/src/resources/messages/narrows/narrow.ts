import { badRequest, namedText } from '../../../errors/index.js'
import { isRecord } from '../../../kernel/objects.js'
import { isSafeInteger } from '../../../kernel/safe-integer.js'

/** The operators of a narrow, under their current names. */
export const narrowOperators = [
  'channel',
  'channels',
  'topic',
  'sender',
  'dm',
  'dm-including',
  'group-pm-with',
  'is',
  'has',
  'in',
  'id',
  'near',
  'with',
  'search',
] as const
export type NarrowOperator = (typeof narrowOperators)[number]

/** Maximum number of terms in a narrow; databases reject conditions with some hundreds of parts. */
export const maxNarrowTerms = 100

export type NarrowOperand = string | number | readonly number[]

/** One condition of a narrow, as the client sent it. */
export interface NarrowTerm {
  /** The current name of the operator. An unknown operator is kept, and rejected by the search. */
  readonly operator: string
  readonly operand: NarrowOperand
  readonly isNegated: boolean
}

const presentNames: ReadonlyMap<string, NarrowOperator> = new Map([
  ['stream', 'channel'],
  ['streams', 'channels'],
  ['pm-with', 'dm'],
  ['pm_with', 'dm'],
  ['group_pm_with', 'group-pm-with'],
])

const takingTextOrId: ReadonlySet<string> = new Set([
  'channel',
  'sender',
  'dm-including',
  'group-pm-with',
  'id',
  'with',
])

/**
 * Parses a narrow: a list of objects `{ operator, operand, negated }` and of pairs of strings.
 *
 * @param value decoded JSON; null stands for an empty narrow.
 * @throws {ChatError} `BAD_REQUEST` for the first item that is neither, or has a wrong operand.
 */
export function parseNarrow(value: readonly unknown[] | null | undefined): NarrowTerm[] {
  return (value ?? []).map(parseItem)
}

type NarrowProblem =
  | 'NARROW_ITEM_NOT_PAIR'
  | 'NARROW_ITEM_NOT_OBJECT'
  | 'NARROW_OPERAND_MISSING'
  | 'NARROW_OPERATOR_MISSING'

function parseItem(item: unknown, index: number): NarrowTerm {
  const problem = (text: NarrowProblem) =>
    badRequest('NARROW_ITEM_INVALID', { index, problem: namedText(text) })
  if (Array.isArray(item)) {
    const [operator, operand]: readonly unknown[] = item
    if (item.length !== 2 || typeof operator !== 'string' || typeof operand !== 'string') {
      throw problem('NARROW_ITEM_NOT_PAIR')
    }
    return checkedTerm(operator, operand, false)
  }
  if (!isRecord(item)) throw problem('NARROW_ITEM_NOT_OBJECT')
  const { operator, operand, negated } = item
  if (operand === undefined || operand === null) throw problem('NARROW_OPERAND_MISSING')
  if (operator === undefined || operator === null) throw problem('NARROW_OPERATOR_MISSING')
  if (typeof operator !== 'string') {
    throw badRequest('PARAMETER_NOT_TEXT', { parameter: `narrow[${index}]["operator"]` })
  }
  if (negated !== undefined && typeof negated !== 'boolean') {
    throw badRequest('PARAMETER_NOT_BOOLEAN', { parameter: `narrow[${index}]["negated"]` })
  }
  return checkedTerm(operator, operand, negated ?? false)
}

function checkedTerm(name: string, operand: unknown, isNegated: boolean): NarrowTerm {
  const operator = presentNames.get(name) ?? name
  return { operator, operand: checkedOperand(operator, operand), isNegated }
}

function checkedOperand(operator: string, operand: unknown): NarrowOperand {
  if (typeof operand === 'string') {
    if (operator === 'search' && operand.trim() === '')
      throw badRequest('VALUE_BLANK', { parameter: 'operand' })
    return operand
  }
  if (takingTextOrId.has(operator)) {
    if (isSafeInteger(operand)) return operand
    throw badRequest('NARROW_OPERAND_NOT_TEXT_OR_ID')
  }
  if (operator !== 'dm') throw badRequest('PARAMETER_NOT_TEXT', { parameter: 'operand' })
  if (!Array.isArray(operand)) throw badRequest('NARROW_OPERAND_NOT_TEXT_OR_IDS')
  return operand.map((id: unknown, index) => {
    if (!isSafeInteger(id))
      throw badRequest('PARAMETER_NOT_INTEGER', { parameter: `operand[${index}]` })
    return id
  })
}

const channelOperators: ReadonlySet<string> = new Set(['channel', 'channels', 'topic'])
const directOperators: ReadonlySet<string> = new Set(['dm', 'dm-including', 'group-pm-with'])

/** Whether the term matches channel messages only. */
export function isChannelTerm({ operator, operand, isNegated }: NarrowTerm): boolean {
  if (isDirectState(operator, operand)) return isNegated
  return channelOperators.has(operator) && !isNegated
}

/** Whether the term matches direct messages only. */
export function isDirectTerm({ operator, operand, isNegated }: NarrowTerm): boolean {
  return (directOperators.has(operator) || isDirectState(operator, operand)) && !isNegated
}

function isDirectState(operator: string, operand: NarrowOperand): boolean {
  return operator === 'is' && (operand === 'dm' || operand === 'private')
}

/** The operand as error messages quote it. */
export function operandText(operand: NarrowOperand): string {
  return Array.isArray(operand) ? `[${operand.join(', ')}]` : String(operand)
}
