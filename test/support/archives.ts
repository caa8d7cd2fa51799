import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'

import { extract, pack } from 'tar-stream'

import { EntryDigest } from '../../packages/core/src/resources/administration/organization-archive/archive-format.js'

/** The whole archive. */
export async function bytesOf(archive: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of archive) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The entries of an archive by name, in their order. */
export async function entriesOf(archive: Buffer): Promise<Map<string, string>> {
  const entries = new Map<string, string>()
  const files = Readable.from([gunzipSync(archive)]).pipe(extract())
  for await (const entry of files) entries.set(entry.header.name, await text(entry))
  return entries
}

/** The rows of a table in an archive. */
export function rowsIn(
  entries: ReadonlyMap<string, string>,
  table: string,
): Record<string, unknown>[] {
  return [...entries]
    .filter(([name]) => name.endsWith(`-${table}.ndjson`))
    .flatMap(([, lines]) => lines.trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** An archive of these entries, with the digest of a correct one. */
export async function sealedArchiveOf(entries: ReadonlyMap<string, string>): Promise<Buffer> {
  const digest = new EntryDigest()
  const sealed = new Map(entries)
  const end = sealed.get('end.json') ?? ''
  sealed.delete('end.json')
  for (const [name, content] of sealed) {
    const bytes = Buffer.from(content)
    digest.begin(name, bytes.length)
    digest.update(bytes)
  }
  const sha256 = digest.hexadecimal()
  return archiveOf(sealed.set('end.json', JSON.stringify({ ...JSON.parse(end), sha256 })))
}

/** An archive of these entries. */
export async function archiveOf(entries: ReadonlyMap<string, string>): Promise<Buffer> {
  const packed = pack()
  for (const [name, content] of entries) packed.entry({ name }, content)
  packed.finalize()
  return gzipSync(await buffer(Readable.from(packed)))
}
