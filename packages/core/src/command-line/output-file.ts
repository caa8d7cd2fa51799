import { createWriteStream } from 'node:fs'
import { access, rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Writes a file as a whole: if it fails, nothing is written, and a file that was there stays.
 *
 * @returns its size in bytes.
 * @throws {Error} if there is such a file, unless it may be replaced.
 */
export async function writeFileSafely(
  path: string,
  content: AsyncIterable<Uint8Array>,
  mayReplace: boolean,
): Promise<number> {
  if (!mayReplace && (await exists(path))) {
    throw new Error(`The file ${path} exists; --yes replaces it`)
  }
  const incomplete = `${path}.incomplete`
  try {
    await pipeline(Readable.from(content), createWriteStream(incomplete, { mode: 0o600 }))
    const { size } = await stat(incomplete)
    await rename(incomplete, path)
    return size
  } catch (error) {
    await rm(incomplete, { force: true })
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}
