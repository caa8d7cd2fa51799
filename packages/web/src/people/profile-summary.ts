import type { ProfileField, User } from '@parley/client'

import type { Session } from '../session/session.js'

/** Numbers of the API. */
const types = { options: 3, date: 4 } as const

/** The values of a user in those fields that the organization shows in short profiles. */
export function profileSummary(
  { profile_data }: User,
  session: Session,
): { readonly name: string; readonly text: string }[] {
  return session.state.profileFields
    .filter(({ display_in_profile_summary }) => display_in_profile_summary === true)
    .map((field) => {
      const value = profile_data?.[String(field.id)]?.value ?? ''
      return { name: field.name, text: value === '' ? '' : textOf(field, value) }
    })
    .filter(({ text }) => text !== '')
}

function textOf({ type, field_data }: ProfileField, value: string): string {
  if (type === types.date) {
    const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' })
    return format.format(new Date(value))
  }
  if (type !== types.options) return value
  // Its schema is that of the API: texts by keys.
  const options = JSON.parse(field_data) as Readonly<Record<string, { readonly text: string }>>
  return options[value]?.text ?? ''
}
