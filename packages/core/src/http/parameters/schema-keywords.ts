import type { TSchema } from 'typebox'

import type { ContentKind } from '../../domain/messages/content-kinds.js'

/** Additional keywords of a parameter's schema; the decoder uses them, ajv ignores them. */
export interface ParameterKeywords {
  /**
   * The encoding of the value: `raw` text, or JSON text.
   * @default `raw` for strings and unions of strings, `json` for everything else.
   */
  encoding?: 'raw' | 'json'
  /**
   * The type that may replace a raw text in a JSON body, such as a list; its JSON text is then
   * passed, as from a form. The operation parses that text, and rejects it if it is invalid.
   */
  orJson?: TSchema
  /** Alternative names of the parameter; two of them in one request are refused. */
  aliases?: readonly string[]
  /** Whether surrounding white space of a raw text is removed before validation. */
  trim?: boolean
  /** Whether a text that is empty after trimming is rejected with "x cannot be blank". */
  refuseBlank?: boolean
  /** The wording for a value outside a closed set: "Invalid x" (default), or the listed form. */
  invalid?: 'plain' | 'listed'
  /** The error message for a missing value, if it is not "Missing 'x' argument". */
  missing?: string
  /** Maximum length of the JSON text of the value, in characters: for values of any type. */
  maxJsonLength?: number
  /**
   * The kind of a text that others will read; the application's hooks of content get it. In a list
   * or an object, every text in it is of that kind.
   */
  contentKind?: ContentKind
  /**
   * How texts with U+0000 and unpaired surrogates are treated, which cannot be stored: by default they
   * are refused. `own`: the operation refuses them with a text of its own. `replaced`: they become
   * U+FFFD, because another program has written them.
   */
  unstorable?: 'own' | 'replaced'
  /** Whether a path parameter matches the rest of the path, slashes included. */
  restOfPath?: boolean
}

/** Additional keywords of a part of a response's schema. */
export interface ResponseKeywords {
  /** The component of the OpenAPI document that describes the value in more detail. */
  component?: string
}

declare module 'typebox' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- augments the options of every schema
  interface TSchemaOptions extends ParameterKeywords, ResponseKeywords {}
}
