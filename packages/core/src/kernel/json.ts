declare const content: unique symbol

/** JSON text in a column, with the type of what it contains: `settings: Json<ChannelSettings>`. */
export type Json<Value> = string & { readonly [content]: Value }

/** The value of a JSON column. Only this code writes such columns, so its text is not checked. */
export function parseJson<Value>(text: Json<Value>): Value {
  return JSON.parse(text) as Value
}

/** The text to store in a JSON column. */
export function toJson<Value>(value: Value): Json<Value> {
  return JSON.stringify(value) as Json<Value>
}
