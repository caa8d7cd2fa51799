declare const content: unique symbol

/** JSON text in a column, with the type of its value: `settings: Json<ChannelSettings>`. */
export type Json<Value> = string & { readonly [content]: Value }

/** The value of a JSON column. */
export function parseJson<Value>(text: Json<Value>): Value {
  // Only `toJson` makes such texts, so they are not checked.
  return JSON.parse(text) as Value
}

/** The text to store in a JSON column. */
export function toJson<Value>(value: Value): Json<Value> {
  // The only place where such texts are made.
  return JSON.stringify(value) as Json<Value>
}
