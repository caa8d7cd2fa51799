const path = /^#!\s*(\S+)(?:\s+(\S+))?/
const colons = /^:{2,}([A-Za-z0-9_+-]+)/

/**
 * The language that the first line of code indicates: an interpreter after `#!`, or a name after
 * two or more colons. `undefined` if it indicates none.
 */
export function guessLanguage(code: string): string | undefined {
  const firstLine = code.slice(0, code.indexOf('\n'))
  const named = colons.exec(firstLine)?.[1]
  if (named !== undefined) return named.toLowerCase()
  const match = path.exec(firstLine)
  if (match === null) return undefined
  const [, command = '', argument = ''] = match
  const program = command.slice(command.lastIndexOf('/') + 1)
  return (program === 'env' ? argument : program).toLowerCase() || undefined
}
