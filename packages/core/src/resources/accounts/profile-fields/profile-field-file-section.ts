import { Type, type Static } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import type { Transaction } from '../../../storage/index.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import {
  defineFileSection,
  type FileLoading,
  type FileSectionLoader,
} from '../../../resource-definition/file-section.js'
import type { FileCheck } from '../../../resource-definition/file-check.js'
import type { ProfileFieldColumns } from './profile-field-repository.js'
import { profileFieldRow } from './profile-field-rules.js'
import { ProfileField } from './profile-field-events.js'
import { hasMarkdown, isEmptyValue, storedValue, type PickableUser } from './profile-value-rules.js'
import { profileFields, profileValues } from './profile-fields-table.js'

const FileProfileField = Type.Object(
  {
    id: FileId,
    type: ProfileField.properties.type,
    name: Type.Optional(
      Type.String({ description: 'Not needed for a built-in external account.' }),
    ),
    hint: Type.Optional(Type.String()),
    field_data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The options of a list by their keys, or the subtype of an external account.',
      }),
    ),
    display_in_profile_summary: Type.Optional(Type.Boolean()),
    required: Type.Optional(Type.Boolean()),
    editable_by_user: Type.Optional(Type.Boolean({ description: 'Default `true`.' })),
  },
  closed,
)
type FileProfileField = Static<typeof FileProfileField>

/** The profile values of a user in an organization file, by field id. */
export const FileProfileData = Type.Record(
  Type.String({ pattern: '^[1-9][0-9]*$' }),
  Type.Union([Type.String(), Type.Array(FileId)]),
  {
    ...closed,
    description: 'Values by field id in `profile_fields`; a list of user ids for type 6.',
  },
)
type FileProfileData = Static<typeof FileProfileData>

interface FilePerson {
  readonly id: number
}

/**
 * Values per batch; the loader yields to the event loop between batches, because rendering takes
 * long.
 */
const valuesPerChunk = 200

/** Stores the profile fields of an organization file, in order, and all users' values. */
@perServer()
class ProfileFieldFileLoader implements FileSectionLoader<FileProfileField> {
  async load(
    tx: Transaction,
    items: readonly FileProfileField[],
    { lists: { users = [], bots = [] }, render }: FileLoading,
  ): Promise<void> {
    const rows = items.map((item, position) => ({ id: item.id, position, ...fieldRow(item, []) }))
    for (const chunk of chunksOf(rows)) await tx.rows(profileFields).insertMany(chunk)
    const fields = new Map(rows.map((row) => [row.id, row]))
    const people = pickable(users, bots)
    const answers = users.flatMap(({ id: user_id, profile_data = {} }) =>
      answersIn(profile_data).map(([fieldId, value]) => ({ user_id, fieldId, value })),
    )
    for (const chunk of chunksOf(answers, valuesPerChunk)) {
      const stored = chunk.map(({ user_id, fieldId: field_id, value: fileValue }) => {
        const field = present(fields.get(field_id), 'the field of a value')
        const value = storedValue(field, fileValue, people)
        const rendered_value = hasMarkdown(field.type)
          ? render(user_id, value, { isDescription: true })
          : null
        return { user_id, field_id, value, rendered_value }
      })
      await tx.rows(profileValues).insertMany(stored)
    }
  }
}

export const profileFieldFile = defineFileSection({
  key: 'profile_fields',
  summary: 'The custom profile fields, in display order.',
  item: FileProfileField,
  table: 'profile_fields',
  loader: ProfileFieldFileLoader,
  async check(items, check) {
    const fields = new Map<number, ProfileFieldColumns>()
    for await (const { place, item } of items) {
      const row = check.requireRule(place, () => fieldRow(item, [...fields.values()]))
      if (row !== undefined) fields.set(item.id, row)
    }
    await checkValues(check, fields)
  },
})

async function checkValues(
  check: FileCheck,
  fields: ReadonlyMap<number, ProfileFieldColumns>,
): Promise<void> {
  const people = pickable(
    check.items('users').map(({ item }) => item),
    check.items('bots').map(({ item }) => item),
  )
  for await (const { place, item } of check.each('users')) {
    for (const [fieldId, value] of answersIn(item.profile_data ?? {})) {
      const where = `${place}/profile_data/${fieldId}`
      if (!check.requireKnown(where, 'field', fieldId)) continue
      const field = fields.get(fieldId)
      if (field !== undefined) check.requireRule(where, () => storedValue(field, value, people))
    }
  }
}

function fieldRow(
  item: FileProfileField,
  others: Parameters<typeof profileFieldRow>[1],
): ProfileFieldColumns {
  const description = {
    type: item.type,
    name: item.name ?? '',
    hint: item.hint ?? '',
    fieldData: item.field_data ?? {},
    isInSummary: item.display_in_profile_summary ?? false,
    isRequired: item.required ?? false,
    isEditableByUser: item.editable_by_user ?? true,
  }
  return profileFieldRow(description, others)
}

/** The values that are not empty. */
function answersIn(data: FileProfileData): (readonly [number, string | readonly number[]])[] {
  return Object.entries(data)
    .filter(([, value]) => !isEmptyValue(value))
    .map(([fieldId, value]) => [Number(fieldId), value] as const)
}

/** Deactivated users count as active: a value may have named them before. */
function pickable(
  users: readonly FilePerson[],
  bots: readonly FilePerson[],
): ReadonlyMap<number, PickableUser> {
  return new Map<number, PickableUser>([
    ...users.map(({ id }) => [id, { isActive: true, isBot: false }] as const),
    ...bots.map(({ id }) => [id, { isActive: true, isBot: true }] as const),
  ])
}
