import { operandText, type NarrowTerm } from './narrow.js'
import { ChatError } from '../../../errors/index.js'

const operators = new Set([
  'channel',
  'channels',
  'topic',
  'sender',
  'has',
  'search',
  'near',
  'id',
  'with',
])

/**
 * Checks the narrow of a spectator, which must be limited to web-public channels and must not
 * use personal data.
 *
 * @throws {ChatError} `UNAUTHORIZED` otherwise.
 */
export function requireWebPublic(narrow: readonly NarrowTerm[]): NarrowTerm[] {
  const terms = narrow.filter(
    ({ operator, operand, isNegated }) =>
      isNegated || operator !== 'in' || operandText(operand) !== 'home',
  )
  const isWebPublic = terms.some(
    ({ operator, operand, isNegated }) =>
      operator === 'channels' && operandText(operand) === 'web-public' && !isNegated,
  )
  const isAllowed = terms.every(
    ({ operator, operand }) =>
      operators.has(operator) || (operator === 'is' && operandText(operand) === 'resolved'),
  )
  if (!isWebPublic || !isAllowed) throw new ChatError('UNAUTHORIZED')
  return terms
}
