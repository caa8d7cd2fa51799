/** Undefined if it is no address. */
export function parsedUrl(text: string, base: string): URL | undefined {
  return URL.canParse(text, base) ? new URL(text, base) : undefined
}
