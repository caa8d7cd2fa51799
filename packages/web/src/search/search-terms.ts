import type { Term } from '../place.js'
import type { Session } from '../session/session.js'
import { dialogTexts } from '../dialog-texts.js'
import { matches } from '../view/matching.js'
import { searchNear, searchReader, type Search } from './search.js'

const personOperators: ReadonlySet<string> = new Set(['sender', 'dm', 'dm-including'])
const shorter: Readonly<Record<string, string>> = { from: 'sender', stream: 'channel' }
const maxNamed = 5

/**
 * `from:` words and the like are operators, and words in quotes are not; the rest is the text.
 * The server says which operators there are.
 */
function readSearch(query: string, session: Session): Search {
  const words: string[] = []
  const terms: Term[] = []
  let problem: string | undefined
  // Addresses (`https://…`) and names of programs (`std::vector`) are words.
  for (const [part, negation, name = '', quoted, plain] of query.matchAll(
    /(-?)([a-z][a-z-]+):(?![:/])(?:"([^"]*)"|([^\s"]\S*))|-?"[^"]*"|\S+/gi,
  )) {
    const operator = shorter[name.toLowerCase()] ?? name.toLowerCase()
    const operand = (quoted ?? plain?.replaceAll('+', ' ') ?? '').trim()
    if (operator === '') words.push(part)
    else {
      // The server ignores it: it is where the list begins.
      if (operator === 'near' && searchNear(query) === undefined)
        problem ??= dialogTexts.noNumber(part)
      let value: Term['operand'] = operand
      if (personOperators.has(operator)) {
        const given = quoted ?? plain ?? ''
        const people = (operator === 'dm' ? given.split(',') : [given]).map(withSpaces)
        const found = people.map((person) => peopleNamed(person, session))
        problem ??= ambiguity(people, found)
        const ids = found.flatMap((each) => each.map(({ user_id }) => user_id))
        // Others are unknown to the server as well.
        if (found.every(({ length }) => length === 1)) {
          value = operator === 'dm' ? ids : (ids[0] ?? operand)
        }
      }
      // The server refuses operators that there are not.
      terms.push({ operator, operand: value, ...(negation === '-' && { negated: true }) } as Term)
    }
  }
  if (words.length > 0) terms.push({ operator: 'search', operand: words.join(' ') })
  return { terms, problem }
}

/** Names have `+` in the place of spaces; addresses have it too. */
function withSpaces(word: string): string {
  return (word.includes('@') ? word : word.replaceAll('+', ' ')).trim()
}

interface Person {
  readonly user_id: number
  readonly full_name: string
}

/** Those with this name or address, or else those whose names begin so; `Name|id` is one of them. */
function peopleNamed(name: string, { state }: Session): readonly Person[] {
  if (name.toLowerCase() === 'me') return [state.me]
  const [wanted = '', id] = name.toLowerCase().split('|')
  const users = [...state.users.values()]
  if (wanted === '' || id !== undefined) return users.filter((user) => user.user_id === Number(id))
  const exact = users.filter(({ full_name, email, delivery_email }) =>
    [full_name, email, delivery_email].some((each) => each?.toLowerCase() === wanted),
  )
  return exact.length > 0 ? exact : users.filter(({ full_name }) => matches(full_name, wanted))
}

function ambiguity(
  names: readonly string[],
  found: readonly (readonly Person[])[],
): string | undefined {
  const at = found.findIndex(({ length }) => length > 1)
  const people = (found[at] ?? []).slice(0, maxNamed)
  if (people.length === 0) return undefined
  return dialogTexts.severalPeople(
    names[at] ?? '',
    people.map(({ full_name, user_id }) => `"${full_name}|${user_id}"`).join(', '),
  )
}

searchReader.read = readSearch
