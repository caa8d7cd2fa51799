import { readFileSync } from 'node:fs'

/** The end of the log of a server that did not start. */
export function lastLines(path) {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(-30).join('\n')
  } catch {
    return '(the server wrote no log)'
  }
}
