const restOfReference = /(?:#\d{1,10}|#[xX][\da-fA-F]{1,8}|[\da-zA-Z]{1,40});/y
const blanks = ' \t\n\r'

/** Text as Markdown that shows it unchanged: characters with an effect become references. */
export function literalMarkdown(text: string): string {
  return literalLines(literalInline(text))
}

/** The same for a text in a line. */
export function literalInline(text: string, isEmphasized = false): string {
  let markdown = ''
  for (let index = 0; index < text.length; index += 1) {
    markdown += literalCharacter(text, index, isEmphasized)
  }
  return markdown
}

/** Lines whose beginnings have no effect. */
export function literalLines(text: string): string {
  return text
    .split('\n')
    .map((line) => literalListMark(literalLineStart(line)))
    .join('\n')
}

/**
 * The character of a text as Markdown without an effect in its line.
 *
 * @param isEmphasized whether it will be between marks of emphasis, which these characters end.
 */
export function literalCharacter(text: string, index: number, isEmphasized: boolean): string {
  const character = text.charAt(index)
  const [before, after] = [text.charAt(index - 1), text.charAt(index + 1)]
  switch (character) {
    case '`':
      return reference(character)
    case '*':
      return isEmphasized || !isBlank(before) || !isBlank(after) ? reference(character) : character
    case '~':
      return isEmphasized || before === '~' || after === '~' ? reference(character) : character
    case '$':
      return before === '$' || after === '$' ? reference(character) : character
    case '^':
      return isEmphasized ? reference(character) : character
    case ']':
      return after === '(' ? reference(character) : character
    case '<':
      return text.startsWith('time:', index + 1) ? '&lt;' : character
    case '&':
      restOfReference.lastIndex = index + 1
      return restOfReference.test(text) ? '&amp;' : character
    default:
      return character
  }
}

/** A line that is no heading, quote, rule, table or indented code. */
export function literalLineStart(line: string): string {
  const content = line.trimStart()
  const indent = line.slice(0, line.length - content.length)
  if (indent.length > 3 || indent.includes('\t'))
    return indent.replaceAll(/[ \t]/g, '\u00a0') + content
  if (content === '') return line
  if (content.startsWith('>') || /^#{1,6}\s/.test(content)) {
    return indent + reference(content.charAt(0)) + content.slice(1)
  }
  if (/^[*_ -]+$/.test(content) && content.replaceAll(' ', '').length > 2) {
    return indent + reference(content.charAt(0)) + content.slice(1)
  }
  const isSeparator = content.includes('-') && /^[-:| ]+$/.test(content)
  return isSeparator ? line.replaceAll('|', reference) : line
}

/** A line that is no item of a list. */
export function literalListMark(line: string): string {
  if (isBullet(line)) return line.replace(/[*+-]/, reference)
  return numberOf(line) === undefined ? line : line.replace('.', reference)
}

/** Text in a cell of a table, which a bar would end. Bars in code do not end it. */
export function cellText(markdown: string): string {
  return markdown.replaceAll('|', reference)
}

/** The number of a line that is an item of a numbered list. */
export function numberOf(line: string): number | undefined {
  const number = /^ *(\d+)\. /.exec(line)?.[1]
  return number === undefined ? undefined : Number(number)
}

/** Whether a line is an item of a list. */
export function isListItem(line: string): boolean {
  return isBullet(line) || numberOf(line) !== undefined
}

function isBullet(line: string): boolean {
  return /^ *[*+-] /.test(line)
}

function isBlank(character: string): boolean {
  return blanks.includes(character)
}

function reference(character: string): string {
  return `&#${character.charCodeAt(0)};`
}
