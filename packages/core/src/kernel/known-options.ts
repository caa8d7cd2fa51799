import { isRecord, keysOf } from './objects.js'

/**
 * Checks the names of a call's options: applications in plain JavaScript are not type-checked, and
 * an option that is ignored can do harm.
 *
 * @param call the name of the called method, for messages.
 * @param options undefined for none.
 * @param names every option of the type, and whether the call has it.
 * @returns the options.
 * @throws {TypeError} naming the options that the call does not have, and those that it has.
 */
export function knownOptions<Options extends object | undefined>(
  call: string,
  options: Options,
  names: Readonly<Record<keyof NonNullable<Options> & string, boolean>>,
): Options {
  if (options === undefined) return options
  if (!isRecord(options)) throw new TypeError(`${call}: the options must be an object`)
  const known = new Set<string>(keysOf(names).filter((name) => names[name]))
  const unknown = Object.keys(options).filter((name) => !known.has(name))
  if (unknown.length === 0) return options
  throw new TypeError(
    `${call}: there is no option ${unknown.join(', ')}, only ${[...known].join(', ')}`,
  )
}
