const needsCleaning = /[\r\t\u0002\u0003]/
const tabStop = 4

/**
 * Splits `source` into lines according to the dialect: CRLF and CR end a line, U+0002 and U+0003
 * are dropped (the renderer marks its own tokens with them), tabs extend to the next column that is
 * a multiple of 4, and a line of spaces is empty.
 */
export function splitIntoLines(source: string): string[] {
  const text = needsCleaning.test(source) ? clean(source) : source
  if (!text.includes('\n')) return [isOnlySpaces(text) ? '' : text]
  const lines = text.split('\n')
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!
    if (line.charCodeAt(0) === 0x20 && isOnlySpaces(line)) lines[index] = ''
  }
  return lines
}

function clean(source: string): string {
  const text = source
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replaceAll('\u0002', '')
    .replaceAll('\u0003', '')
  return text.includes('\t') ? text.split('\n').map(expandTabs).join('\n') : text
}

function expandTabs(line: string): string {
  if (!line.includes('\t')) return line
  let expanded = ''
  let column = 0
  for (const [index, part] of line.split('\t').entries()) {
    if (index > 0) {
      const width = tabStop - (column % tabStop)
      expanded += ' '.repeat(width)
      column += width
    }
    expanded += part
    column += [...part].length
  }
  return expanded
}

function isOnlySpaces(line: string): boolean {
  for (let index = 0; index < line.length; index += 1) {
    if (line.charCodeAt(index) !== 0x20) return false
  }
  return true
}
