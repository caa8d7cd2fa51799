/** The opening line of a fenced block. */
export interface FenceOpening {
  /** The run of backticks or tildes that the closing line must repeat. */
  readonly marks: string
  /** As typed, without the braces and the dot around it. */
  readonly language: string | undefined
  /** The text after the language; the title of a spoiler. */
  readonly header: string
}

const backtick = 0x60
const tilde = 0x7e
const languageCharacters = /[A-Za-z0-9_+\-./#]/

/**
 * Parses `line` as the opening of a fence: three or more backticks or tildes in the first column,
 * an optional language (`py`, `.py`, `{py}`, `{.py}`) and an optional header without those marks.
 */
export function readFenceOpening(line: string): FenceOpening | undefined {
  const mark = line.charCodeAt(0)
  if (mark !== backtick && mark !== tilde) return undefined
  let index = 1
  while (line.charCodeAt(index) === mark) index += 1
  if (index < 3) return undefined
  const marks = line.slice(0, index)
  index = skipSpaces(line, index)

  let languageStart = index
  if (line[languageStart] === '{') languageStart += 1
  if (line[languageStart] === '.') languageStart += 1
  let languageEnd = languageStart
  while (languageCharacters.test(line.charAt(languageEnd))) languageEnd += 1
  let language: string | undefined
  if (languageEnd > languageStart) {
    language = line.slice(languageStart, languageEnd)
    index = line[languageEnd] === '}' ? languageEnd + 1 : languageEnd
  }

  const header = line.slice(index).trim()
  if (header.includes('`') || header.includes('~')) return undefined
  return { marks, language, header }
}

/** Whether `line` closes the fence that was opened with `marks`; spaces may follow. */
export function closesFence(line: string, marks: string): boolean {
  return line.startsWith(marks) && skipSpaces(line, marks.length) === line.length
}

function skipSpaces(line: string, start: number): number {
  let index = start
  while (line.charCodeAt(index) === 0x20) index += 1
  return index
}
