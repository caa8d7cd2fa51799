const byExtension: Readonly<Record<string, string>> = {
  aac: 'audio/aac',
  avif: 'image/avif',
  csv: 'text/csv',
  flac: 'audio/flac',
  gz: 'application/gzip',
  htm: 'text/html',
  html: 'text/html',
  json: 'application/json',
  m4a: 'audio/mp4',
  md: 'text/markdown',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  ogv: 'video/ogg',
  pdf: 'application/pdf',
  svg: 'image/svg+xml',
  tar: 'application/x-tar',
  txt: 'text/plain',
  wav: 'audio/wav',
  webm: 'video/webm',
  xml: 'application/xml',
  zip: 'application/zip',
}

/** Types that form data has where the client declares none. */
const genericTypes: ReadonlySet<string> = new Set(['', 'text/plain', 'application/octet-stream'])

/** The type of a file that is not an image of a known format. */
export function contentTypeOf(fileName: string, declared: string): string {
  const type = declared.toLowerCase()
  const isUsable = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type)
  if (isUsable && !genericTypes.has(type)) return type
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase()
  return byExtension[extension] ?? (type === 'text/plain' ? type : 'application/octet-stream')
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
