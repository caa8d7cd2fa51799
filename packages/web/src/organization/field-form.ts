import type { ProfileField } from '@parley/client'

/** Numbers of the API. */
export const fieldTypes = {
  shortText: 1,
  longText: 2,
  options: 3,
  date: 4,
  link: 5,
  users: 6,
  account: 7,
  pronouns: 8,
} as const
export type FieldType = (typeof fieldTypes)[keyof typeof fieldTypes]

export const customAccount = 'custom'

export interface FieldOption {
  /** The key that the values of users contain. */
  readonly key: string
  readonly text: string
}

/** The data that the user enters about a field, besides its texts. */
export interface FieldDraft {
  readonly type: FieldType
  readonly options: readonly FieldOption[]
  /** The kind of an external account: one that the server knows, or `custom`. */
  readonly subtype: string
  readonly pattern: string
}

export const newField: FieldDraft = {
  type: fieldTypes.shortText,
  options: [{ key: '0', text: '' }],
  subtype: customAccount,
  pattern: '',
}

export function typeOf(number: number): FieldType {
  return Object.values(fieldTypes).find((type) => type === number) ?? fieldTypes.shortText
}

export function draftOf({ type, field_data }: ProfileField): FieldDraft {
  const draft: FieldDraft = { ...newField, type: typeOf(type) }
  if (field_data === '') return draft
  if (type === fieldTypes.options) {
    // Its schema is that of the API: texts and positions by keys.
    const options = JSON.parse(field_data) as Readonly<
      Record<string, { readonly text: string; readonly order: string }>
    >
    const inOrder = Object.entries(options).sort(
      ([, one], [, other]) => Number(one.order) - Number(other.order),
    )
    return { ...draft, options: inOrder.map(([key, { text }]) => ({ key, text })) }
  }
  if (type !== fieldTypes.account) return draft
  // Its schema is that of the API.
  const account = JSON.parse(field_data) as {
    readonly subtype?: string
    readonly url_pattern?: string
  }
  return { ...draft, subtype: account.subtype ?? customAccount, pattern: account.url_pattern ?? '' }
}

/** The options with a new one, which has a key of its own. */
export function withOption(options: readonly FieldOption[]): FieldOption[] {
  const numbers = options.map(({ key }) => Number(key)).filter(Number.isInteger)
  return [...options, { key: String(Math.max(-1, ...numbers) + 1), text: '' }]
}

/** The stored data of a draft besides its texts. Keys stay, so that values stay valid. */
export function fieldDataOf(draft: FieldDraft): Record<string, unknown> {
  if (draft.type === fieldTypes.options) {
    return Object.fromEntries(
      draft.options.map(({ key, text }, index) => [
        key,
        { text: text.trim(), order: String(index + 1) },
      ]),
    )
  }
  if (draft.type !== fieldTypes.account) return {}
  return draft.subtype === customAccount
    ? { subtype: draft.subtype, url_pattern: draft.pattern.trim() }
    : { subtype: draft.subtype }
}

/** Whether the server chooses the name and the hint. */
export function isBuiltIn({ type, subtype }: FieldDraft): boolean {
  return type === fieldTypes.account && subtype !== customAccount
}

/** Whether the short profile can have values of this type. */
export function fitsSummary({ type }: FieldDraft): boolean {
  return type !== fieldTypes.longText && type !== fieldTypes.users
}
