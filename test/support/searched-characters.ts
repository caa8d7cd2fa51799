import { mock } from 'node:test'

type Search = (this: string, part: string & RegExp, from?: number) => number

/**
 * How many characters an action reads when it searches texts, with `indexOf` or `search`. Unlike the
 * time that it takes, the number does not depend on what else the machine does.
 */
export function searchedCharacters(action: () => void): number {
  let count = 0
  const counted = (search: Search): Search =>
    function countedSearch(this: string, part, from = 0) {
      const found = search.call(this, part, from)
      count += (found === -1 ? this.length : found) - from
      return found
    }
  const mocks = (['indexOf', 'search'] as const).map((name) =>
    mock.method(String.prototype, name, counted(String.prototype[name])),
  )
  try {
    action()
  } finally {
    for (const each of mocks) each.mock.restore()
  }
  return count
}
