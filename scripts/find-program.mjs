import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * @param names of a program, the best one first.
 * @param others folders to look into at last.
 * @returns the path of the first that this machine has; servers can be where `PATH` does not lead.
 */
export function findProgram(names, others = []) {
  const path = (process.env.PATH ?? '').split(delimiter)
  const folders = [...path, '/usr/sbin', '/usr/local/sbin', ...others]
  return names
    .flatMap((name) => folders.filter(Boolean).map((folder) => join(folder, name)))
    .find(canRun)
}

const chromiumNames = ['chromium', 'chromium-browser', 'google-chrome']

/** On Debian, `apt-get install chromium fonts-dejavu-core`. */
export const findWholeChromium = () => findProgram(chromiumNames)

/**
 * The same browser without a user interface, which takes half of the time, if it is installed. It
 * has no notifications. On Debian it is in the package `chromium-headless-shell`.
 */
export const findChromium = () => findProgram(['chromium-headless-shell', ...chromiumNames])

function canRun(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
