export type Json = Readonly<Record<string, unknown>>

/** The object that a submessage contains; other clients have written it. */
export function parsed(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    // Other clients wrote it; a text that is no JSON changes nothing.
    return {}
  }
}

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
