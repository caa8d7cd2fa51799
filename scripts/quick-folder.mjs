import { statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

const folder = '/dev/shm'
const gibibyte = 2 ** 30
/** Several times what the databases of a run take together. */
const neededBytes = 6 * gibibyte

/**
 * Where files go that are deleted after the run: into memory, because each new database of MariaDB is
 * hundreds of files; into the temporary folder if there is too little memory, or `TMPDIR` names one.
 */
export function quickFolder() {
  return process.env.TMPDIR || (hasMemory() ? folder : tmpdir())
}

function hasMemory() {
  try {
    const { bavail, bsize } = statfsSync(folder)
    // What is stored there takes memory from everything else.
    return Math.min(bavail * bsize, freemem() / 2) >= neededBytes
  } catch {
    return false
  }
}
