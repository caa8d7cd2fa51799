/** `Number.isSafeInteger`, which does not narrow the type of its argument. */
export function isSafeInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}
