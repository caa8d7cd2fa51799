import { codePointLength } from '../../../domain/texts/folding.js'
import { badRequest } from '../../../errors/index.js'
import type { ProfileFieldRow } from './profile-fields-table.js'
import { choicesOf } from './profile-field-rules.js'
import { profileFieldTypes } from './profile-field-events.js'
import { isWebAddress } from './web-address.js'

const maxShortLength = 50
const maxLongLength = 500
const { SHORT_TEXT, LONG_TEXT, SELECT, DATE, URL: LINK, USER } = profileFieldTypes
const withMarkdown = new Set<number>([SHORT_TEXT.id, LONG_TEXT.id])

/** A user that a field of type 6 may name. */
export interface PickableUser {
  readonly isActive: boolean
  readonly isBot: boolean
}

/** Whether a value removes the current one. */
export function isEmptyValue(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Whether values of the type are also rendered as HTML. */
export function hasMarkdown(type: number): boolean {
  return withMarkdown.has(type)
}

/** The ids that a value of the field names, if it is a field of users. */
export function namedUserIds(field: Pick<ProfileFieldRow, 'type'>, value: unknown): number[] {
  if (field.type !== USER.id || !Array.isArray(value)) return []
  return value.filter((id): id is number => Number.isSafeInteger(id))
}

/**
 * Validates a value and returns the text to store.
 *
 * @param users the named users that exist.
 * @throws {ChatError} `BAD_REQUEST` with the problem.
 */
export function storedValue(
  field: Pick<ProfileFieldRow, 'type' | 'name' | 'field_data'>,
  value: unknown,
  users: ReadonlyMap<number, PickableUser>,
): string {
  if (field.type === USER.id) return storedUsers(value, users)
  const { name } = field
  if (typeof value !== 'string') throw badRequest('PARAMETER_NOT_TEXT', { parameter: name })
  switch (field.type) {
    case LONG_TEXT.id:
      return requireLength(name, value, maxLongLength)
    case SELECT.id:
      if (choicesOf(field.field_data).includes(value)) return value
      throw badRequest('PROFILE_VALUE_NOT_CHOICE', { value, field: name })
    case DATE.id:
      if (isDate(value)) return value
      throw badRequest('PARAMETER_NOT_DATE', { parameter: name })
    case LINK.id:
      if (isWebAddress(value)) return value
      throw badRequest('PROFILE_VALUE_NOT_URL', { field: name })
    default:
      return requireLength(name, value, maxShortLength)
  }
}

function requireLength(name: string, text: string, limit: number): string {
  if (codePointLength(text) <= limit) return text
  throw badRequest('PARAMETER_TOO_LONG', { parameter: name, limit })
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  // `Date` carries a day that the month does not have into the next month.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function storedUsers(value: unknown, users: ReadonlyMap<number, PickableUser>): string {
  if (!Array.isArray(value)) throw badRequest('USER_IDS_NOT_LIST')
  const ids = value.map((id: unknown, index) => {
    if (typeof id === 'number' && Number.isSafeInteger(id)) return id
    throw badRequest('USER_ID_NOT_INTEGER', { index })
  })
  for (const id of ids) {
    const user = users.get(id)
    if (user === undefined) throw badRequest('USER_ID_INVALID', { userId: id })
    if (!user.isActive) throw badRequest('USER_WITH_ID_INACTIVE', { userId: id })
    if (user.isBot) throw badRequest('USER_WITH_ID_IS_BOT', { userId: id })
  }
  return JSON.stringify(ids)
}
