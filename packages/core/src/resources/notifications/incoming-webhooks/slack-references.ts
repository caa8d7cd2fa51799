/** Slack escapes exactly these three characters. */
const characters: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/** Replaces character references by the characters. */
export function decoded(text: string): string {
  return text.replaceAll(/&(?:lt|gt|amp);/g, (reference) => characters[reference] ?? reference)
}

/** The character reference that begins at an index. */
export function referenceAt(source: string, index: number): string | undefined {
  return Object.keys(characters).find((reference) => source.startsWith(reference, index))
}
