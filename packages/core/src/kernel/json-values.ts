/** A decoded JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `Number.isSafeInteger`, which does not narrow the type of its argument. */
export function isSafeInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}
