import { codePointLength } from '../../../domain/texts/folding.js'
import { externalAccounts } from '../../../domain/users/external-accounts.js'
import { badRequest } from '../../../errors/index.js'
import { isRecord } from '../../../kernel/objects.js'
import { parseJson, toJson } from '../../../storage/index.js'
import type { ProfileFieldColumns } from './profile-field-repository.js'
import {
  profileFields,
  type ProfileFieldData,
  type ProfileFieldRow,
} from './profile-fields-table.js'
import { profileFieldTypes } from './profile-field-events.js'
import { isWebAddress } from './web-address.js'

/** Limited because the data of all fields is sent to every client. */
const maxFieldDataLength = 65_535
const maxInSummary = 2
const { LONG_TEXT, SELECT, USER, EXTERNAL_ACCOUNT } = profileFieldTypes
const knownTypes = new Set<number>(Object.values(profileFieldTypes).map(({ id }) => id))
const withoutSummary = new Set<number>([LONG_TEXT.id, USER.id])
const placeholder = '%(username)s'

/** The properties of a field that an administrator sets. */
export interface ProfileFieldDescription {
  readonly type: number
  readonly name: string
  readonly hint: string
  readonly fieldData: ProfileFieldData
  readonly isInSummary: boolean
  readonly isRequired: boolean
  readonly isEditableByUser: boolean
}

/** The columns of other fields that are checked for conflicts. */
type OtherField = Pick<ProfileFieldRow, 'name' | 'is_in_summary'>

/**
 * Validates a description and converts it into a row.
 *
 * @param others the organization's other fields.
 * @throws {ChatError} `BAD_REQUEST` with the problem.
 */
export function profileFieldRow(
  field: ProfileFieldDescription,
  others: readonly OtherField[],
): ProfileFieldColumns {
  requireSummarySpace(field.isInSummary, others)
  const fieldData = storedFieldData(field.type, field.fieldData)
  const builtIn = builtInAccount(field.type, fieldData)
  const { name, hint } = builtIn ?? field
  if (name.trim() === '') throw badRequest('PROFILE_FIELD_NAME_EMPTY')
  requireLength('hint', hint, profileFields.columns.hint.maxLength)
  requireLength('name', name, profileFields.columns.name.maxLength)
  if (!knownTypes.has(field.type)) throw badRequest('PROFILE_FIELD_TYPE_INVALID')
  if (field.isInSummary && withoutSummary.has(field.type)) {
    throw badRequest('PROFILE_FIELD_NOT_IN_SUMMARY')
  }
  if (others.some((other) => comparedName(other) === comparedName({ name }))) {
    throw badRequest('PROFILE_FIELD_NAME_TAKEN')
  }
  return {
    type: field.type,
    name,
    hint,
    field_data: fieldData,
    is_in_summary: field.isInSummary,
    is_required: field.isRequired,
    is_editable_by_user: field.isEditableByUser,
  }
}

/** Without the spaces at its end, which MySQL ignores when it compares. */
function comparedName({ name }: Pick<ProfileFieldRow, 'name'>): string {
  return name.replace(/ +$/, '')
}

/** The built-in external account that `field_data` names, if it names one. */
export function builtInAccount(
  type: number,
  fieldData: ProfileFieldRow['field_data'],
): { readonly name: string; readonly hint: string } | undefined {
  if (type !== EXTERNAL_ACCOUNT.id) return undefined
  const { subtype } = parseFieldData(fieldData)
  return isBuiltIn(subtype) ? externalAccounts[subtype] : undefined
}

export function parseFieldData(fieldData: ProfileFieldRow['field_data']): ProfileFieldData {
  return fieldData === '' ? {} : parseJson(fieldData)
}

/** The keys of a list of options. */
export function choicesOf(fieldData: ProfileFieldRow['field_data']): string[] {
  return Object.keys(parseFieldData(fieldData))
}

function requireSummarySpace(isInSummary: boolean, others: readonly OtherField[]): void {
  if (!isInSummary || others.filter((field) => field.is_in_summary).length < maxInSummary) return
  throw badRequest('PROFILE_SUMMARY_FULL')
}

function requireLength(parameter: string, text: string, limit: number): void {
  if (codePointLength(text) <= limit) return
  throw badRequest('PARAMETER_TOO_LONG', { parameter, limit })
}

function storedFieldData(type: number, data: ProfileFieldData): ProfileFieldRow['field_data'] {
  if (type === SELECT.id) requireChoices(data)
  else if (type === EXTERNAL_ACCOUNT.id) requireAccount(data)
  else return ''
  const stored = toJson(data)
  requireLength('field_data', stored, maxFieldDataLength)
  return stored
}

function requireChoices(data: ProfileFieldData): void {
  const choices = Object.entries(data)
  if (choices.length === 0) throw badRequest('PROFILE_FIELD_WITHOUT_CHOICES')
  const texts = new Set<unknown>()
  for (const [key, choice] of choices) {
    if (key.trim() === '') throw badRequest('PROFILE_FIELD_CHOICE_BLANK')
    if (!isRecord(choice)) throw badRequest('PARAMETER_NOT_OBJECT', { parameter: 'field_data' })
    requireTexts(choice, ['text', 'order'])
    texts.add(choice['text'])
  }
  if (texts.size < choices.length) throw badRequest('PROFILE_FIELD_CHOICES_DUPLICATED')
}

function requireAccount(data: ProfileFieldData): void {
  requireTexts(data, ['subtype'], ['url_pattern'])
  const { subtype, url_pattern: pattern } = data
  if (pattern !== undefined) requireUrlPattern(pattern)
  if (isBuiltIn(subtype)) return
  if (subtype !== 'custom') throw badRequest('PROFILE_FIELD_ACCOUNT_TYPE_INVALID')
  if (pattern === undefined) throw badRequest('PROFILE_FIELD_URL_PATTERN_MISSING')
}

function requireUrlPattern(pattern: unknown): void {
  if (typeof pattern !== 'string')
    throw badRequest('PARAMETER_NOT_TEXT', { parameter: 'field_data["url_pattern"]' })
  if (pattern.split(placeholder).length !== 2) {
    throw badRequest('PROFILE_FIELD_URL_PATTERN_INCOMPLETE', { placeholder })
  }
  const isWeb = /^https?:/i.test(pattern)
  if (!isWeb || !isWebAddress(pattern.replace(placeholder, 'username'))) {
    throw badRequest('PROFILE_FIELD_URL_PATTERN_NOT_URL')
  }
}

function requireTexts(
  data: Readonly<Record<string, unknown>>,
  required: readonly string[],
  optional: readonly string[] = [],
): void {
  for (const key of required) {
    const place = `field_data["${key}"]`
    if (!Object.hasOwn(data, key))
      throw badRequest('PARAMETER_KEY_MISSING', { key, parameter: 'field_data' })
    const text = data[key]
    if (typeof text !== 'string') throw badRequest('PARAMETER_NOT_TEXT', { parameter: place })
    if (text.trim() === '') throw badRequest('VALUE_BLANK', { parameter: place })
  }
  const known = new Set([...required, ...optional])
  const unknown = Object.keys(data).find((key) => !known.has(key))
  if (unknown === undefined) return
  throw badRequest('PARAMETER_KEY_UNEXPECTED', {
    key: unknown,
    parameter: `field_data["${unknown}"]`,
  })
}

function isBuiltIn(subtype: unknown): subtype is keyof typeof externalAccounts {
  return typeof subtype === 'string' && Object.hasOwn(externalAccounts, subtype)
}
