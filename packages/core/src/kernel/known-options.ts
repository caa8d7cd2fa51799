import { isRecord } from './objects.js'

/**
 * Checks the names of a call's options: applications in plain JavaScript are not type-checked, and
 * an option that is ignored can do harm.
 *
 * @param call the name of the called method, for messages.
 * @param options undefined for none.
 * @returns the options.
 * @throws {TypeError} naming the options that the call does not have, and those that it has.
 */
export function knownOptions<Options extends object | undefined>(
  call: string,
  options: Options,
  names: readonly (keyof NonNullable<Options> & string)[],
): Options {
  if (options === undefined) return options
  if (!isRecord(options)) throw new TypeError(`${call}: the options must be an object`)
  const known: ReadonlySet<string> = new Set(names)
  const unknown = Object.keys(options).filter((name) => !known.has(name))
  if (unknown.length === 0) return options
  throw new TypeError(`${call}: there is no option ${unknown.join(', ')}, only ${names.join(', ')}`)
}
