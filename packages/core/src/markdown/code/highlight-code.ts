import type { CodeToken } from '../context.js'
import { loadHighlighter } from './languages.js'
import { splitPlainCode } from './plain-code.js'
import { toTokenClass } from './scope-classes.js'

// Many grammars of highlight.js search from every character, which is quadratic in the length of a
// line or of a run of blank lines. Real code stays far below these limits.
const maxLength = 5_000
/**
 * Constructs that a shell session leaves open stay open, and are scanned again in each later line.
 */
const maxSessionLength = 2_000
const maxLineLength = 400
const maxLines = 1_000
const maxBlankLines = 20

const tag = /<span class="([^"]*)">|<\/span>/g
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

/**
 * Highlights code with highlight.js and maps the tokens to those of Pygments, best effort.
 * `undefined` for a language that is not built in, and for code of more than 5,000 characters (of a
 * shell session 2,000), of more than 1,000 lines, or with a line of more than 400: such code is
 * shown plain.
 */
export function highlightCode(code: string, language: string): readonly CodeToken[] | undefined {
  if (!isQuickToHighlight(code)) return undefined
  const highlighter = loadHighlighter()
  const grammar = highlighter.getLanguage(language)
  if (grammar === undefined) return undefined
  if (grammar.name === 'Shell Session' && code.length > maxSessionLength) return undefined
  const { value } = highlighter.highlight(code, { language, ignoreIllegals: true })
  return mergeTokens(toTokens(readRuns(value), grammar.name?.toLowerCase() ?? language))
}

function isQuickToHighlight(code: string): boolean {
  if (code.length > maxLength) return false
  const lines = code.split('\n')
  if (lines.length > maxLines) return false
  let blankLines = 0
  for (const line of lines) {
    if (line.length > maxLineLength) return false
    blankLines = line.trim() === '' ? blankLines + 1 : 0
    if (blankLines > maxBlankLines) return false
  }
  return true
}

interface ScopedRun {
  text: string
  /** Innermost scope of highlight.js, such as `title.function`; undefined for plain code. */
  readonly scope: string | undefined
}

/** Parses highlight.js's HTML into runs of text; adjacent runs of one scope are merged. */
function readRuns(html: string): ScopedRun[] {
  const runs: ScopedRun[] = []
  const open: (string | undefined)[] = []
  let textStart = 0
  const push = (end: number): void => {
    if (end === textStart) return
    const text = html
      .slice(textStart, end)
      .replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity]!)
    const scope = open[open.length - 1]
    const last = runs[runs.length - 1]
    if (last !== undefined && last.scope === scope) last.text += text
    else runs.push({ text, scope })
  }
  for (const match of html.matchAll(tag)) {
    push(match.index)
    textStart = match.index + match[0].length
    if (match[1] === undefined) open.pop()
    else open.push(toScope(match[1]) ?? open[open.length - 1])
  }
  push(html.length)
  return runs
}

/** `hljs-title function_` is the scope `title.function`; parameters are plain code. */
function toScope(className: string): string | undefined {
  const scope = className
    .split(' ')
    .map((part) => part.replace(/^hljs-/, '').replace(/_$/, ''))
    .join('.')
  return scope === 'params' || scope === 'function' || scope.startsWith('language-')
    ? undefined
    : scope
}

function toTokens(runs: readonly ScopedRun[], language: string): CodeToken[] {
  const tokens: CodeToken[] = []
  for (const { text, scope } of runs) {
    const className = scope === undefined ? undefined : toTokenClass(scope, text, language)
    if (className === undefined) tokens.push(...splitPlainCode(text, language))
    else tokens.push({ text, className })
  }
  return tokens
}

/** Adjacent tokens of one class are one span, as in Pygments' HTML. */
function mergeTokens(tokens: readonly CodeToken[]): CodeToken[] {
  const merged: CodeToken[] = []
  for (const token of tokens) {
    const last = merged[merged.length - 1]
    if (last !== undefined && last.className === token.className) {
      merged[merged.length - 1] = { ...last, text: last.text + token.text }
    } else {
      merged.push(token)
    }
  }
  return merged
}
