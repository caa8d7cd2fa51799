import { withoutInvalidCharacters } from '../../../domain/texts/invalid-characters.js'

/** Used if nothing is left of a name. */
const defaultName = 'uploaded-file'
const maxNameLength = 150

/**
 * Decodes a file's name as its uploader sent it: clients may have percent-encoded it for the
 * header. Characters that no text may have are left out.
 */
export function decodeFileName(name: string): string {
  return withoutInvalidCharacters(percentDecoded(name)) || defaultName
}

function percentDecoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Converts a file's name for use in its URL. */
export function sanitizeFileName(name: string): string {
  const sanitized = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}_\s.-]/gu, '')
    .trim()
    .replace(/[-\s]+/g, '-')
  if (['', '.', '..'].includes(sanitized)) return defaultName
  const characters = [...sanitized]
  if (characters.length <= maxNameLength) return sanitized
  const extension = /\.[^.]{1,20}$/u.exec(sanitized)?.[0] ?? ''
  return characters.slice(0, maxNameLength - extension.length).join('') + extension
}
