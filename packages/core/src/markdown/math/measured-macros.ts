/** Count of one look-up of a macro that the formula itself has defined, in tokens. */
const tokensPerOwnMacro = 10

/**
 * Maximum number of tokens in the input buffer when a macro that the formula defined takes
 * arguments.
 */
const maxWaitingTokens = 5_000

/** KaTeX's data of a macro that a formula defines. */
interface Definition {
  readonly numArgs: number
}

/** The part of KaTeX's macro expander with the tokens that are yet to be read. */
interface Expander {
  readonly stack: readonly unknown[]
}

/** Thrown through KaTeX when a formula exceeds its limit. */
export class FormulaTooLong extends Error {
  override readonly name = 'FormulaTooLong'
}

/** The remaining number of tokens of formulas. */
export interface TokenMeter {
  /** @throws {FormulaTooLong} if the limit is exceeded. */
  spend(tokens: number): void
}

/**
 * Creates the initial macros of a formula, to which KaTeX adds those that the formula defines.
 *
 * KaTeX looks up every token in them before parsing it, so `meter` counts the tokens here: a few
 * lines of macros may expand to millions, and parsing cannot be interrupted.
 */
export function measuredMacros(
  initial: Readonly<Record<string, string>>,
  meter: TokenMeter,
): Record<string, string | object> {
  const own = {
    hasOwnProperty(name: string): boolean {
      meter.spend(1)
      if (!Object.hasOwn(macros, name)) return false
      meter.spend(tokensPerOwnMacro)
      const definition = macros[name]
      if (takesArguments(definition)) macros[name] = guarded(definition)
      return true
    },
  }
  const macros: Record<string, string | object> = Object.create(own)
  Object.assign(macros, initial)
  return macros
}

/** Arguments are copied with each use, so their size is checked before. */
function guarded(definition: Definition): (expander: Expander) => Definition {
  return ({ stack }) => {
    if (stack.length > maxWaitingTokens) throw new FormulaTooLong()
    return definition
  }
}

function takesArguments(definition: unknown): definition is Definition {
  return typeof definition === 'object' && definition !== null && 'numArgs' in definition
    ? Number(definition.numArgs) > 0
    : false
}
