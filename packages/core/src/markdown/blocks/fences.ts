import { maxNesting } from './tree.js'

/** The opening line of a fenced block. */
interface FenceOpening {
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
function readFenceOpening(line: string): FenceOpening | undefined {
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
function closesFence(line: string, marks: string): boolean {
  return line.startsWith(marks) && skipSpaces(line, marks.length) === line.length
}

function skipSpaces(line: string, start: number): number {
  let index = start
  while (line.charCodeAt(index) === 0x20) index += 1
  return index
}

/** A part of the message: either text for the block rules, or the content of a fence. */
export type Segment = TextSegment | CodeSegment | MathSegment | QuoteSegment | SpoilerSegment

export interface TextSegment {
  readonly kind: 'text'
  readonly lines: string[]
}

export interface CodeSegment {
  readonly kind: 'code'
  readonly language: string | undefined
  readonly lines: string[]
}

export interface MathSegment {
  readonly kind: 'math'
  readonly lines: string[]
}

export interface QuoteSegment {
  readonly kind: 'quote'
  readonly body: Segment[]
}

export interface SpoilerSegment {
  readonly kind: 'spoiler'
  readonly header: string
  readonly body: Segment[]
}

interface OpenFence {
  readonly marks: string
  /** Collects the lines of a code or math fence. */
  readonly opaqueLines: string[] | undefined
  /** Collects the content of a quote or spoiler fence. */
  readonly body: Segment[]
  readonly isInSpoiler: boolean
}

/**
 * Separates the fences in `lines`. Code and math end at the first line that repeats their marks;
 * quotes and spoilers may contain further fences. An unclosed fence runs to the end.
 *
 * @param defaultLanguage Language of a fence that names none, outside spoilers; `''` for none.
 */
export function cutFences(lines: readonly string[], defaultLanguage: string): Segment[] {
  const root: Segment[] = []
  const open: OpenFence[] = []
  for (const line of lines) {
    const inner = open[open.length - 1]
    if (inner !== undefined && closesFence(line, inner.marks)) {
      open.pop()
      continue
    }
    if (inner?.opaqueLines !== undefined) {
      inner.opaqueLines.push(line)
      continue
    }
    const target = inner?.body ?? root
    const opening = open.length < maxNesting ? readFenceOpening(line) : undefined
    if (opening === undefined) {
      pushText(target, line)
      continue
    }
    const isInSpoiler = inner?.isInSpoiler ?? false
    const language = opening.language ?? (isInSpoiler ? undefined : defaultLanguage || undefined)
    open.push(openFence(target, opening, language?.toLowerCase(), isInSpoiler))
  }
  return root
}

function openFence(
  target: Segment[],
  { marks, header }: FenceOpening,
  language: string | undefined,
  isInSpoiler: boolean,
): OpenFence {
  if (language === 'quote' || language === 'quoted') {
    const body: Segment[] = []
    target.push({ kind: 'quote', body })
    return { marks, opaqueLines: undefined, body, isInSpoiler }
  }
  if (language === 'spoiler') {
    const body: Segment[] = []
    target.push({ kind: 'spoiler', header, body })
    return { marks, opaqueLines: undefined, body, isInSpoiler: true }
  }
  const opaqueLines: string[] = []
  target.push(
    language === 'math'
      ? { kind: 'math', lines: opaqueLines }
      : { kind: 'code', language, lines: opaqueLines },
  )
  return { marks, opaqueLines, body: [], isInSpoiler }
}

function pushText(target: Segment[], line: string): void {
  const last = target[target.length - 1]
  if (last?.kind === 'text') last.lines.push(line)
  else target.push({ kind: 'text', lines: [line] })
}
