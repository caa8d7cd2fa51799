import { firstRelease } from './0001-first-release/index.js'
import type { Migration } from './migration.js'

/** The schema's history, oldest first. */
export const migrations: readonly Migration[] = [firstRelease]
