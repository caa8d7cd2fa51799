import { propertiesOf } from '../objects.js'

/** The code of an error. Its text may contain values, such as addresses that exist already. */
export function codeOf(error: unknown): string {
  const { code, name } = propertiesOf(error)
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(code)) return code
  return typeof name === 'string' && /^[A-Za-z]{1,64}$/.test(name) ? name : 'Error'
}
