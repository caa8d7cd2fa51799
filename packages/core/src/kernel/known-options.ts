import { isRecord } from './objects.js'

/**
 * Checks the names of a call's options: applications in plain JavaScript are not type-checked, and
 * an option that is ignored can do harm.
 *
 * @param call the name of the called method, for messages.
 * @param options undefined for none.
 * @throws {TypeError} naming the options that the call does not have, and those that it has.
 */
export function requireKnownOptions(
  call: string,
  options: unknown,
  known: readonly string[],
): void {
  if (options === undefined) return
  if (!isRecord(options)) throw new TypeError(`${call}: the options must be an object`)
  const unknown = Object.keys(options).filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new TypeError(`${call}: there is no option ${unknown.join(', ')}, only ${known.join(', ')}`)
}
