/** Used where nothing is left of a name. */
const nameless = 'uploaded-file'
const maxNameLength = 150

/** A file's name as its uploader gave it: clients may have percent-encoded it for the header. */
export function decodeFileName(name: string): string {
  try {
    return decodeURIComponent(name) || nameless
  } catch {
    return name
  }
}

/** The form of a file's name that is put into its address. */
export function sanitizeFileName(name: string): string {
  const sanitized = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}_\s.-]/gu, '')
    .trim()
    .replace(/[-\s]+/g, '-')
  if (['', '.', '..'].includes(sanitized)) return nameless
  const characters = [...sanitized]
  if (characters.length <= maxNameLength) return sanitized
  const extension = /\.[^.]{1,20}$/u.exec(sanitized)?.[0] ?? ''
  return characters.slice(0, maxNameLength - extension.length).join('') + extension
}
