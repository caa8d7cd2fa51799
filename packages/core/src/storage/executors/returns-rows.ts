const readingOrReturning =
  /^\s*(?:\/\*.*?\*\/\s*)*(?:select|with|show|explain|pragma)\b|\breturning\b/is

/** Whether a statement of the chat returns rows, for libraries that have a method for each. */
export function returnsRows(sql: string): boolean {
  return readingOrReturning.test(sql)
}
