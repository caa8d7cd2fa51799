import type { Logger } from '../kernel/logger.js'
import { englishTexts } from './english/index.js'
import { weightedItems } from '../kernel/weighted-items.js'
import type { Language } from './language.js'
import { filled, NamedText, type TextName, type TextValues } from './named-text.js'

/** Maximum length of the header `Accept-Language` that is read, in characters. */
const maxHeaderLength = 500

/** The language of texts without a translation. */
export const english = 'en'

export interface TextsOption {
  /** The languages besides English in which clients get texts. @default [] */
  readonly languages?: readonly Language[]
  /**
   * Writes a text of the server, synchronously. Values that are texts themselves are already
   * translated. For undefined, the text is that of the language.
   *
   * @param name as in docs/errors.md and docs/texts.md.
   * @param locale the tag of one of `languages`, or `en`.
   * @param text the text that is used otherwise.
   * @default none
   */
  readonly translate?: (
    name: TextName,
    values: TextValues,
    locale: string,
    text: string,
  ) => string | undefined
}

/** Writes texts of the server in one language. */
export interface TextWriter {
  /** The tag of the language. */
  readonly locale: string
  readonly write: (text: NamedText) => string
}

/** Writes texts in English, as they are without languages. */
export const englishWriter: TextWriter = {
  locale: english,
  write: (text) => text.toString(),
}

/** Writes the server's texts in the languages that the application has switched on. */
export class Translator {
  readonly #languages: ReadonlyMap<string, Language>
  readonly #translate: TextsOption['translate']
  readonly #logger: Logger
  #hasFailed = false

  constructor({ languages = [], translate }: TextsOption, logger: Logger) {
    this.#languages = new Map(languages.map((language) => [language.tag, language]))
    this.#translate = translate
    this.#logger = logger
  }

  /** Whether texts can differ from the English ones. */
  get isOn(): boolean {
    return this.#languages.size > 0 || this.#translate !== undefined
  }

  /** Whether texts can be written in a language. */
  has(tag: string): boolean {
    return tag === english || this.#languages.has(tag)
  }

  /** English and the other languages of the server. */
  get locales(): readonly string[] {
    return [...new Set([english, ...this.#languages.keys()])]
  }

  /** The available language that a header `Accept-Language` prefers; undefined for none of them. */
  preferredBy(header: string | undefined): string | undefined {
    if (header === undefined || header.length > maxHeaderLength) return undefined
    const preferences = weightedItems(header)
      .filter(({ weight }) => weight > 0)
      .sort((one, other) => other.weight - one.weight)
    for (const { name: tag } of preferences) {
      // `de-AT` is served with `de`, and `pt` with `pt-br` only if that is asked for.
      const parts = tag.split('-')
      while (parts.length > 0) {
        const candidate = parts.join('-')
        if (this.has(candidate)) return candidate
        parts.pop()
      }
    }
    return undefined
  }

  /** A text in a language; in English if the language or its translation is missing. */
  textOf(text: NamedText, locale: string): string {
    const values: TextValues = Object.fromEntries(
      Object.entries(text.values).map(([name, value]) => [
        name,
        value instanceof NamedText ? this.textOf(value, locale) : value,
      ]),
    )
    const template =
      this.#languages.get(locale)?.texts[text.name] ??
      (locale === english ? englishTexts[text.name] : undefined)
    const own = template === undefined ? text.toString() : filled(template, values)
    return this.#translated(text.name, values, locale, own) ?? own
  }

  /** Writes texts in a language. */
  writerIn(locale: string): TextWriter {
    return { locale, write: (text) => this.textOf(text, locale) }
  }

  #translated(name: TextName, values: TextValues, locale: string, own: string): string | undefined {
    if (this.#translate === undefined) return undefined
    try {
      const translated: unknown = this.#translate(name, values, locale, own)
      if (translated === undefined || typeof translated === 'string') return translated
      this.#report(name, new TypeError('texts.translate must return a string or undefined'))
    } catch (error) {
      this.#report(name, error)
    }
    return undefined
  }

  /** Once for each server: every error of a client would repeat it. */
  #report(name: TextName, err: unknown): void {
    if (this.#hasFailed) return
    this.#hasFailed = true
    this.#logger.error('texts.translate failed', { text: name, err })
  }
}
