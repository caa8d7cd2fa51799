import type { TextName } from './named-text.js'

/** A language in which the server can write its texts. */
export interface Language {
  /** The tag, in lowercase, as in the setting `default_language`: `de`, `pt-br`. */
  readonly tag: string
  /** Texts with the placeholders of the English ones; those that are missing stay English. */
  readonly texts: Readonly<Partial<Record<TextName, string>>>
}

/** All texts of a group, in another language. */
export type Translation<Texts> = { readonly [Name in keyof Texts]: string }
