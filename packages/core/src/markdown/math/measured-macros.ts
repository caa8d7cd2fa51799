/** What one look at a name that the formula itself has defined counts, next to other tokens. */
const tokensPerOwnMacro = 10

/** How many tokens may wait to be read when a macro of the formula's own takes arguments. */
const maxWaitingTokens = 5_000

/** What KaTeX keeps of a macro that a formula defines. */
interface Definition {
  readonly numArgs: number
}

/** The part of KaTeX's reader that tells how much macros have made of a formula. */
interface Expander {
  readonly stack: readonly unknown[]
}

/** Thrown through KaTeX where reading a formula takes too much. */
export class FormulaTooLong extends Error {
  override readonly name = 'FormulaTooLong'
}

/** How many tokens of formulas may still be read. */
export interface TokenMeter {
  /** @throws {FormulaTooLong} if that is more than there may be. */
  spend(tokens: number): void
}

/**
 * Makes the macros that a formula begins with, and into which KaTeX writes those that it defines.
 *
 * KaTeX asks them about every token before it reads it, so they are where `meter` learns how many
 * there are: a few lines of macros may stand for millions, and reading cannot be interrupted.
 */
export function measuredMacros(
  initial: Readonly<Record<string, string>>,
  meter: TokenMeter,
): Record<string, never> {
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
  const macros = Object.create(own) as Record<string, unknown>
  Object.assign(macros, initial)
  return macros as Record<string, never>
}

/** Arguments are copied with each use, so what they have grown to is looked at before. */
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
