import { Type, type TProperties, type TSchema } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import {
  userSettingDefinitions,
  type UserSettingDefinition,
  type UserSettingName,
  type UserSettings,
} from '../../../domain/users/user-settings.js'
import { entriesOf, fromKeys, keysOf } from '../../../kernel/objects.js'

/** Settings by name, as in a request. */
export type SettingChanges = Partial<UserSettings>

export const settingDefinitions: readonly [UserSettingName, UserSettingDefinition][] =
  entriesOf(userSettingDefinitions)

/** Values that only a user may choose, not an organization as a default. */
const personalValues: Partial<Record<UserSettingName, readonly string[]>> = {
  emojiset: ['google-blob'],
}

/** Names of newer clients for values that have another name here. */
const laterNames: Partial<Record<UserSettingName, Readonly<Record<string, string>>>> = {
  web_home_view: { recent: 'recent_topics' },
}

/** A parameter for each setting: of a user, or of the defaults for new users. */
export function settingParameters(whose: 'own' | 'newcomers'): TProperties {
  return Object.fromEntries(
    settingDefinitions
      .filter(([, { isPersonalOnly }]) => whose === 'own' || isPersonalOnly !== true)
      .map(([name, definition]) => [
        name,
        Type.Optional(
          schemaOf(definition, whose === 'own' ? (personalValues[name] ?? []) : [], name),
        ),
      ]),
  )
}

/** The schema of each setting in responses: of a user, or of the defaults for new users. */
export function settingSchemas(whose: 'own' | 'newcomers'): Record<UserSettingName, TSchema> {
  return fromKeys(keysOf(userSettingDefinitions), (name) => {
    const { values }: UserSettingDefinition = userSettingDefinitions[name]
    if (values.type === 'boolean') return Type.Boolean()
    if (values.allowed === undefined) {
      return values.type === 'integer' ? Type.Integer() : Type.String()
    }
    const more = whose === 'own' ? (personalValues[name] ?? []) : []
    return Type.Union([...values.allowed, ...more].map((value) => Type.Literal(value)))
  })
}

/** The settings among decoded parameters, by their stored names and values. */
export function settingChanges(params: Readonly<Record<string, unknown>>): SettingChanges {
  const given = settingDefinitions.flatMap(([name]) => {
    const value = params[name]
    if (value === undefined) return []
    const stored = typeof value === 'string' ? (laterNames[name]?.[value] ?? value) : value
    return [[name, stored]]
  })
  // The schema of each parameter allows only values of its setting.
  return Object.fromEntries(given) as SettingChanges
}

/** The settings in `requested` that differ from `current`. */
export function changedSettings(current: UserSettings, requested: SettingChanges): SettingChanges {
  const changed = { ...requested }
  for (const name of keysOf(changed)) if (changed[name] === current[name]) delete changed[name]
  return changed
}

function schemaOf(
  { values }: UserSettingDefinition,
  more: readonly string[],
  name: UserSettingName,
): TSchema {
  if (values.type === 'boolean') return Type.Boolean()
  if (values.type === 'integer') {
    if (values.allowed === undefined) return Bounded.integer()
    return Type.Union(
      values.allowed.map((value) => Type.Literal(value)),
      { invalid: 'listed' },
    )
  }
  if (values.allowed === undefined) return Bounded.name()
  const allowed = [...values.allowed, ...more, ...Object.keys(laterNames[name] ?? {})]
  return Type.Union(
    allowed.map((value) => Type.Literal(value)),
    { invalid: values.listed === true ? 'listed' : 'plain' },
  )
}
