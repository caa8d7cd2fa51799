import { statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const folder = '/dev/shm'
const gibibyte = 2 ** 30
/** Several times what the databases of a run take together. */
const neededBytes = 6 * gibibyte

/**
 * A folder in memory, for files that are deleted after the run: each new database of MariaDB is
 * hundreds of files. Undefined where there is none, or too little memory.
 */
export function memoryFolder() {
  try {
    const { bavail, bsize } = statfsSync(folder)
    // What is stored there takes memory from everything else.
    return Math.min(bavail * bsize, freemem() / 2) >= neededBytes ? folder : undefined
  } catch {
    return undefined
  }
}
