/** Parses URI templates (RFC 6570, all levels) without expanding them. */

const operators = new Set(['+', '#', '.', '/', ';', '?', '&'])

/** A variable's name: letters, digits, underscores and percent-encoded octets, dots in between. */
const variableName = /^(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*$/

/** A prefix length of one to four digits without a leading zero, or the explode modifier. */
const modifier = /(?::[1-9][0-9]{0,3}|\*)$/

/** Characters that RFC 6570, section 2.1, forbids in literals. */
const forbiddenLiteral = /[\p{Cc} "'<>\\^`{|}]/u

/**
 * The names of a template's variables, each once.
 *
 * @returns undefined if `template` is not an RFC 6570 template.
 */
export function templateVariables(template: string): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  let position = 0
  while (position < template.length) {
    const open = template.indexOf('{', position)
    const literal = template.slice(position, open === -1 ? template.length : open)
    if (forbiddenLiteral.test(literal)) return undefined
    if (open === -1) break
    const close = template.indexOf('}', open)
    if (close === -1) return undefined
    if (!addVariables(names, template.slice(open + 1, close))) return undefined
    position = close + 1
  }
  return names
}

const scheme = /^[A-Za-z][A-Za-z0-9+.-]*(?=:)/

/**
 * The scheme, in lower case, of every URL that a template expands to; `''` if they are relative
 * references, which have none.
 *
 * @param template a template for which {@link templateVariables} returns names.
 * @returns undefined if values can determine the scheme, as in `{a}:b` and `java{a}:b`.
 */
export function templateScheme(template: string): string | undefined {
  const open = template.indexOf('{')
  const start = open === -1 ? template : template.slice(0, open)
  const written = scheme.exec(start)?.[0]
  if (written !== undefined) return written.toLowerCase()
  return open === -1 || /[/?#]/.test(start) ? '' : undefined
}

/** @returns false if `expression` is invalid. */
function addVariables(names: Set<string>, expression: string): boolean {
  const list = operators.has(expression.charAt(0)) ? expression.slice(1) : expression
  for (const variable of list.split(',')) {
    const name = variable.replace(modifier, '')
    if (!variableName.test(name)) return false
    names.add(name)
  }
  return true
}
