import { mimes } from 'mrmime'

/** A Map: in an object, extensions such as `constructor` would have inherited values. */
const byExtension: ReadonlyMap<string, string> = new Map([
  ...Object.entries(mimes),
  // mrmime does not have these.
  ['flac', 'audio/flac'],
  ['tar', 'application/x-tar'],
])

/** Of types with several extensions, or none in mrmime. */
const usualExtensions: ReadonlyMap<string, string> = new Map([
  ['application/ics', 'ics'],
  ['application/octet-stream', ''],
  ['application/xml', 'xml'],
  ['audio/mpeg', 'mp3'],
  ['text/plain', 'txt'],
  ['text/x-vcard', 'vcf'],
  ['text/vcard', 'vcf'],
])

/** The usual extension of the names of files of a type; empty if none is known. */
export function extensionOf(contentType: string): string {
  const usual = usualExtensions.get(contentType)
  if (usual !== undefined) return usual
  const subtype = contentType.slice(contentType.indexOf('/') + 1)
  if (byExtension.get(subtype) === contentType) return subtype
  return [...byExtension].find(([, type]) => type === contentType)?.[0] ?? ''
}

/** Types that form data has where the client declares none. */
const genericTypes: ReadonlySet<string> = new Set(['', 'text/plain', 'application/octet-stream'])

/** The type of a file that is not an image of a known format. */
export function contentTypeOf(fileName: string, declared: string): string {
  const type = declared.toLowerCase()
  const isUsable = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type)
  if (isUsable && !genericTypes.has(type)) return type
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase()
  return byExtension.get(extension) ?? (type === 'text/plain' ? type : 'application/octet-stream')
}

/**
 * Types that browsers may show inline: none of them can run scripts. PDF can contain scripts, and
 * browsers' PDF viewers do not work in the sandbox in which files are shown.
 */
const shown =
  /^(image\/(apng|avif|gif|jpeg|png|webp)|audio\/[\w.+-]+|video\/(mp4|ogg|quicktime|webm)|text\/plain)$/

/** Whether a file of this type may be shown inline; other files are sent as downloads. */
export function isShownInPlace(contentType: string): boolean {
  return shown.test(contentType)
}
