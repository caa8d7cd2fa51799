import { mock } from 'node:test'

/**
 * How many characters an action reads when it searches texts, with `indexOf` or `search`. Unlike the
 * time that it takes, the number does not depend on what else the machine does.
 */
export function searchedCharacters(action: () => void): number {
  const { indexOf, search } = String.prototype
  let count = 0
  const add = (text: string, from: number, found: number): number => {
    count += (found === -1 ? text.length : found) - from
    return found
  }
  const mocks = [
    mock.method(
      String.prototype,
      'indexOf',
      function counted(this: string, part: string, from = 0) {
        return add(this, from, indexOf.call(this, part, from))
      },
    ),
    mock.method(String.prototype, 'search', function counted(this: string, pattern: RegExp) {
      return add(this, 0, search.call(this, pattern))
    }),
  ]
  try {
    action()
  } finally {
    for (const each of mocks) each.mock.restore()
  }
  return count
}
