import type { TSchema } from 'typebox'

/** Extra keywords that a parameter's schema may carry; the decoder reads them, ajv ignores them. */
export interface ParameterKeywords {
  /**
   * How the value travels: `raw` text, or text that is JSON.
   * @default `raw` for strings and unions of strings, `json` for everything else.
   */
  encoding?: 'raw' | 'json'
  /**
   * What a raw text may be instead in a JSON body, such as a list; its JSON text is then taken, as
   * from a form. The operation reads that text, and refuses it where it is wrong.
   */
  orJson?: TSchema
  /** Other names under which the value is accepted; two of them in one request are refused. */
  aliases?: readonly string[]
  /** Whether white space around a raw text is dropped before it is checked. */
  trim?: boolean
  /** Whether a text that is empty after trimming is refused with "x cannot be blank". */
  refuseBlank?: boolean
  /** The wording for a value outside a closed set: "Invalid x" (default), or the listed form. */
  invalid?: 'plain' | 'listed'
  /** The text for an absent value where it is not "Missing 'x' argument". */
  missing?: string
  /** How long the JSON text of the value may be, in characters: for values of any type. */
  maxJsonLength?: number
  /** Whether a path parameter is all that is left of the path, slashes included. */
  restOfPath?: boolean
}

/** Extra keywords that a part of an answer's schema may carry. */
export interface ResponseKeywords {
  /** The component of the OpenAPI document that says more of the value than the schema does. */
  component?: string
}

declare module 'typebox' {
  // eslint-disable-next-line typescript/no-empty-object-type -- augments the options of every schema
  interface TSchemaOptions extends ParameterKeywords, ResponseKeywords {}
}
