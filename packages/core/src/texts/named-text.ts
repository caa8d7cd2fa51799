import { englishTexts } from './english/index.js'

/** The name of a text of the server; it stays the same when the text changes. */
export type TextName = keyof typeof englishTexts

/** The value of a placeholder of a text; a text inside another one is translated with it. */
export type TextValue = string | number | NamedText

type Placeholder<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never

type PlaceholderOf<Name extends TextName> = Placeholder<(typeof englishTexts)[Name]>

/** The values of a text as the last argument, which texts without placeholders do not have. */
export type ValuesArgument<Name extends TextName> = [PlaceholderOf<Name>] extends [never]
  ? []
  : [values: Readonly<Record<PlaceholderOf<Name>, TextValue>>]

/** Values by the names of their placeholders. */
export type TextValues = Readonly<Record<string, unknown>>

/** A text of the server before it is written in a language. */
export class NamedText {
  constructor(
    readonly name: TextName,
    readonly values: TextValues = {},
  ) {}

  /** The text in English. */
  toString(): string {
    return filled(englishTexts[this.name], this.values)
  }
}

/** A text of the server, with its values. */
export function namedText<Name extends TextName>(
  name: Name,
  ...[values]: ValuesArgument<Name>
): NamedText {
  return new NamedText(name, values)
}

const placeholders = /\{(\w+)\}/g

/** Inserts values as they are; placeholders in values are not replaced. */
export function filled(template: string, values: TextValues): string {
  return template.replaceAll(placeholders, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
}

/** The names of the placeholders of a text, sorted, each once. */
export function placeholdersOf(template: string): readonly string[] {
  return [...new Set([...template.matchAll(placeholders)].map(([, name = '']) => name))].sort()
}

export function isTextName(name: string): name is TextName {
  return Object.hasOwn(englishTexts, name)
}
