/** What an image says about itself in its first bytes. */
export interface ImageFormat {
  readonly contentType: 'image/png' | 'image/gif' | 'image/jpeg' | 'image/webp'
  readonly extension: 'png' | 'gif' | 'jpg' | 'webp'
}

/**
 * Recognizes the formats that every browser shows, by their signatures; the name and type that a
 * client gives are not believed.
 */
export function imageFormatOf(bytes: Buffer): ImageFormat | undefined {
  const startsWith = (signature: string, at = 0): boolean =>
    bytes.subarray(at, at + signature.length).equals(Buffer.from(signature, 'latin1'))
  if (startsWith('\x89PNG\r\n\x1a\n') && startsWith('IHDR', 12)) {
    return { contentType: 'image/png', extension: 'png' }
  }
  if ((startsWith('GIF87a') || startsWith('GIF89a')) && bytes.length > 13) {
    return { contentType: 'image/gif', extension: 'gif' }
  }
  if (startsWith('\xff\xd8\xff')) return { contentType: 'image/jpeg', extension: 'jpg' }
  if (startsWith('RIFF') && startsWith('WEBPVP8', 8)) {
    return { contentType: 'image/webp', extension: 'webp' }
  }
  return undefined
}
