import { Type, type TProperties, type TSchema } from 'typebox'

import { Bounded } from '../../domain/bounded-schemas.js'
import {
  userSettingDefinitions,
  type UserSettingDefinition,
  type UserSettingName,
  type UserSettings,
} from '../../domain/user-settings.js'

/** Settings by name, as a client wants them. */
export type SettingChanges = Partial<Record<UserSettingName, boolean | number | string>>

const definitions = Object.entries(userSettingDefinitions) as [
  UserSettingName,
  UserSettingDefinition,
][]

/** Values that only a person may choose, not an organization for its newcomers. */
const personalValues: Partial<Record<UserSettingName, readonly string[]>> = {
  emojiset: ['google-blob'],
}

/** Names that later clients use for what has another name here. */
const laterNames: Partial<Record<UserSettingName, Readonly<Record<string, string>>>> = {
  web_home_view: { recent: 'recent_topics' },
}

/** A parameter for each setting: of a person, or of the organization's newcomers. */
export function settingParameters(whose: 'own' | 'newcomers'): TProperties {
  return Object.fromEntries(
    definitions
      .filter(([, { isPersonalOnly }]) => whose === 'own' || isPersonalOnly !== true)
      .map(([name, definition]) => [
        name,
        Type.Optional(
          schemaOf(definition, whose === 'own' ? (personalValues[name] ?? []) : [], name),
        ),
      ]),
  )
}

/** What each setting may be, as clients read it: of a person, or of the organization's newcomers. */
export function settingSchemas(whose: 'own' | 'newcomers'): TProperties {
  return Object.fromEntries(
    definitions.map(([name, { values }]) => {
      if (values.type === 'boolean') return [name, Type.Boolean()]
      if (values.allowed === undefined) {
        return [name, values.type === 'integer' ? Type.Integer() : Type.String()]
      }
      const more = whose === 'own' ? (personalValues[name] ?? []) : []
      return [name, Type.Union([...values.allowed, ...more].map((value) => Type.Literal(value)))]
    }),
  )
}

/** The settings among decoded parameters, under the names and values that are stored. */
export function settingChanges(params: Readonly<Record<string, unknown>>): SettingChanges {
  const changes: SettingChanges = {}
  for (const [name] of definitions) {
    const value = params[name] as boolean | number | string | undefined
    if (value === undefined) continue
    changes[name] = laterNames[name]?.[String(value)] ?? value
  }
  return changes
}

/** What of `wanted` differs from `current`. */
export function changedSettings(current: UserSettings, wanted: SettingChanges): SettingChanges {
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => current[name as UserSettingName] !== value),
  )
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
