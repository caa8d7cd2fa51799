import { join } from 'node:path'

/** The folder of this run, which all of its processes share. */
export function runFolder(): string {
  const folder = process.env.CHAT_TEST_RUN_FOLDER
  if (folder === undefined)
    throw new Error('Tests are started by `pnpm test`, which compiles them.')
  return folder
}

/**
 * A program of the work tree as the run has compiled it, with all that it imports.
 *
 * @param path relative to the root: one of `programs` in `scripts/test-pool.mjs`.
 */
export function compiledProgram(path: string): string {
  return join(runFolder(), path.replace(/\.ts$/, '.mjs'))
}
