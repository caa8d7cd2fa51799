import { RE2JS, RE2JSException } from 're2js'
import { parseTemplate } from 'url-template'
import { isSpace } from './characters.js'

/** A pattern of an organization and the URL that its matches link to. */
export interface Linkifier {
  /** RE2 syntax with named groups, `(?P<name>…)`. */
  readonly pattern: string
  /** RFC 6570, all levels, with the names of the groups. */
  readonly urlTemplate: string
}

/** A match of a linkifier, without the characters around it. */
export interface LinkifierMatch {
  readonly start: number
  readonly end: number
  readonly text: string
  /** The expanded template; its scheme is not checked yet. */
  readonly url: string
}

/** The reason why a linkifier is invalid. Contains no text other than the administrator's own. */
export class LinkifierError extends Error {
  override readonly name = 'LinkifierError'

  constructor(readonly reason: 'bad-pattern' | 'bad-template' | 'different-names') {
    super(`Linkifier is invalid (${reason})`)
  }
}

const matchGroup = 'parley_match__'
const templateExpression = /\{([^{}]*)\}/g
const operators = /^[+#./;?&]/

/**
 * Fixed number of steps for searching a text, and for a match, besides those for the characters.
 */
const stepsPerText = 20
const stepsPerMatch = 1_000
/** Number of characters per step while none of them begins a match. */
const charactersPerStep = 50

/** Steps per character of the text after a match, if the pattern may look at all of it. */
const stepsPerFarCharacter = 10

/**
 * Number of instructions of a compiled pattern up to which a search usually needs one step per
 * character: RE2 keeps the states of small programs, and runs larger ones instruction by
 * instruction.
 */
const smallProgram = 100
/** Number of instructions per step when a larger program reads a character. */
const instructionsPerStep = 40

const harmlessEscapes = /\\[dwSbB.+*?()[\]{}|^$/#@:_!-]/g
const plainClasses = /\[[^\]^][^\]]*\]/g
const farReaching = /[^!-~]|\\|\[\^|\[:/

interface CompiledLinkifier {
  readonly expression: RE2JS
  /** How many times the steps of a small program it needs for a search, and for a match. */
  readonly searchWeight: number
  readonly matchWeight: number
  /**
   * Whether the pattern cannot match whitespace, so that a match never extends beyond the next one.
   */
  readonly staysInWord: boolean
  readonly names: readonly string[]
  readonly expand: (values: Record<string, string>) => string
}

/**
 * The linkifiers of one organization, compiled once and used for every message. Matching takes time
 * linear in the text for each match: RE2 does not backtrack. But each match may look at the whole
 * rest of the text, so the steps are counted.
 */
export class CompiledLinkifiers {
  private readonly compiled: readonly CompiledLinkifier[]

  /** @throws {LinkifierError} for the first linkifier that is not valid. */
  constructor(linkifiers: readonly Linkifier[]) {
    this.compiled = linkifiers.map(compile)
  }

  /** Number of linkifiers. */
  get count(): number {
    return this.compiled.length
  }

  /**
   * All matches of the linkifier at `position`, left to right. Adjacent matches may share a
   * neighbor: the character that ends one match may precede the next.
   *
   * @param from Where to begin; the character before it still counts as a neighbor.
   * @param mayTake Called with the number of further steps; if it returns false, there are no
   *   further matches.
   */
  *findMatches(
    position: number,
    text: string,
    from = 0,
    mayTake: (steps: number) => boolean = () => true,
  ): Generator<LinkifierMatch> {
    const linkifier = this.compiled[position]
    if (linkifier === undefined) return
    const { searchWeight, matchWeight } = linkifier
    if (!mayTake(stepsPerText + (text.length / charactersPerStep) * searchWeight)) return
    if (!linkifier.expression.test(text)) return
    const matcher = linkifier.expression.matcher(text)
    let searchFrom = from
    while (searchFrom <= text.length && matcher.find(searchFrom)) {
      const start = matcher.start(matchGroup)
      const end = matcher.end(matchGroup)
      const reach = linkifier.staysInWord
        ? endOfWord(text, end) - searchFrom
        : (text.length - searchFrom) * stepsPerFarCharacter
      if (!mayTake((stepsPerMatch + reach) * matchWeight)) return
      if (end > start) {
        const url = linkifier.expand(groupValues(matcher.getNamedGroups(), linkifier.names))
        yield { start, end, text: text.slice(start, end), url }
      }
      searchFrom = Math.max(end, searchFrom + 1)
    }
  }
}

/**
 * Compiles the linkifiers of an organization, in their stored order.
 *
 * @throws {LinkifierError} if a pattern or a template does not compile, or if they do not have the
 *   same set of names.
 */
export function compileLinkifiers(linkifiers: readonly Linkifier[]): CompiledLinkifiers {
  return new CompiledLinkifiers(linkifiers)
}

/**
 * Number of instructions of a linkifier's compiled pattern, which a search may run for each
 * character of a message: `x{100}` has a hundred times those of `x`.
 *
 * @throws {LinkifierError} if the pattern does not compile.
 */
export function instructionsOf(pattern: string): number {
  return compilePattern(pattern).programSize()
}

function compile({ pattern, urlTemplate }: Linkifier): CompiledLinkifier {
  const expression = compilePattern(pattern)
  const names = Object.keys(expression.namedGroups()).filter((name) => name !== matchGroup)
  const templateNames = readTemplateNames(urlTemplate)
  const isSameSet =
    names.length === templateNames.size && names.every((name) => templateNames.has(name))
  if (!isSameSet) throw new LinkifierError('different-names')
  const template = parseTemplate(urlTemplate)
  const instructions = expression.programSize()
  const isSmall = instructions <= smallProgram
  return {
    expression,
    searchWeight: isSmall ? 1 : (instructions / instructionsPerStep) * charactersPerStep,
    matchWeight: isSmall ? 1 : instructions / smallProgram,
    staysInWord: staysInWord(pattern),
    names,
    expand: (values) => template.expand(values),
  }
}

/**
 * A match begins at the start or after whitespace or an opening mark and ends at the end or before
 * anything but a letter or digit. RE2 has no look-around, so both neighbors are matched too.
 */
function compilePattern(pattern: string): RE2JS {
  try {
    // Compiled without the wrapper first, so that an unbalanced pattern is not balanced by it.
    RE2JS.compile(pattern)
    return RE2JS.compile(
      `(?:^|[\\s\\v\\x{85}\\pZ'"(,:<])(?P<${matchGroup}>${pattern})(?:$|[^\\pL\\pN])`,
    )
  } catch (error) {
    if (error instanceof RE2JSException) throw new LinkifierError('bad-pattern')
    throw error
  }
}

/** Whether `pattern` is one of the simple patterns that certainly do not match whitespace. */
function staysInWord(pattern: string): boolean {
  const rest = pattern.replaceAll(harmlessEscapes, '')
  return !farReaching.test(rest) && !rest.replaceAll(plainClasses, '').includes('.')
}

function endOfWord(text: string, start: number): number {
  let end = start
  while (end < text.length && !isSpace(text.charCodeAt(end))) end += 1
  return end
}

function readTemplateNames(template: string): Set<string> {
  const names = new Set<string>()
  for (const [, expression = ''] of template.matchAll(templateExpression)) {
    for (const variable of expression.replace(operators, '').split(',')) {
      const name = variable.replace(/(?::[0-9]{1,4}|\*)$/, '')
      if (!/^[A-Za-z0-9_.%]+$/.test(name)) throw new LinkifierError('bad-template')
      names.add(name)
    }
  }
  if (/[{}]/.test(template.replaceAll(templateExpression, ''))) {
    throw new LinkifierError('bad-template')
  }
  return names
}

function groupValues(
  groups: Record<string, string | null>,
  names: readonly string[],
): Record<string, string> {
  const values: Record<string, string> = {}
  for (const name of names) {
    const value = groups[name]
    // An unmatched group is undefined in the template, which then omits its expression.
    if (value !== null && value !== undefined) values[name] = value
  }
  return values
}
