/**
 * Returns a value that exists if this code is correct: an element at a known index, an entry that
 * was just added, a row that a foreign key guarantees.
 *
 * @param what names the value in the error, for example `the id of each message`.
 * @throws {Error} if the value is missing, which is an error in this code and not of its caller.
 */
export function present<Value>(value: Value | undefined | null, what: string): Value {
  if (value === undefined || value === null) throw new Error(`Missing: ${what}`)
  return value
}
