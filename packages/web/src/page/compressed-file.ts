import { gunzipSync } from 'node:zlib'

/** A file as it was compressed when the page was built, in Base64. */
export interface CompressedFile {
  readonly br: string
  readonly gzip: string
}

/** The best form of a file for the header `Accept-Encoding` of a request (RFC 9110, 12.5.3). */
export function encodedFor(
  file: CompressedFile,
  acceptEncoding: string | readonly string[] | undefined,
): { readonly encoding: 'br' | 'gzip' | undefined; readonly body: Buffer } {
  const accepted = String(acceptEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((item) => item.replaceAll(/\s/g, ''))
    .filter((item) => !/;q=0(\.0*)?$/.test(item))
    .map((item) => item.split(';')[0])
  const encoding = (['br', 'gzip'] as const).find((name) => accepted.includes(name))
  const body = Buffer.from(file[encoding ?? 'gzip'], 'base64')
  return { encoding, body: encoding === undefined ? gunzipSync(body) : body }
}
